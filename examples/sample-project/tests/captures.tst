# Captures and a ko, asked of the bot itself.
# playouts: 8

boardsize 5
clear_board
komi 0.5

# Black takes the stone in the corner; its point is free again.
play white A1
play black A2
play black B1
10 play white A1
#? []*

# A suicide is refused as well.
play black C3
play black D2
play black E3
play black D4
20 play white D3
#? []*

# The private commands describe the last genmove.
30 genmove black
#? [pass|[A-E][1-5]]
40 ref-playouts
#? [8]
50 ref-score
#? [[01](\.[0-9]+)?|1\.0+]
