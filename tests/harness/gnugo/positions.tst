# A regression file for GNU Go 3.8 at level 1: passes and failures, expected and not, of every kind of pattern.
# Some expectations are wrong on purpose.

# Game records, from the folder of this file.
loadsgf games/ladder.sgf
10 reg_genmove white
#? [C3|D3]
20 reg_genmove white
#? [!D3]
30 reg_genmove white
#? [E5|D3]*
40 attack D6
#? [vertex must not be empty]
50 attack G3
#? [0]
60 defend G3
#? [(0|1 [A-HJ][1-9])]
70 captures white
#? [0]
80 color D6
#? [white]*
90 color D5
#? [black]
100 loadsgf games/ladder.sgf 3
#? [black]
110 loadsgf games/no-such-game.sgf
#? [.+]
120 is_legal black D6
#? [1]
130 is_legal white C6
#? [!0]
140 countlib C6
#? [[2-4]]
150 countlib D6
#? [!4]*
160 list_stones white
#? [(D6|G3|C3| )*]
170 list_stones white
#? [.*D6.*G3.*]
180 get_komi
#? [5\.5]
190 get_komi
#? [5.50]

# A corner: who is faster?
loadsgf games/corner.sgf
200 attack B9
#? [1 (A9|C9|D9)]
210 attack B9
#? [[1-3] D9]
220 attack B9
#? [1 A9]*
230 attack B9
#? [1 D9]*
240 defend B9
#? [1 D9]
250 defend B9
#? [0]
260 owl_attack B9
#? [1 A9]
270 owl_defend B9
#? [0]
280 is_legal white A9
#? [1]
290 is_legal black A9
#? [0]
300 is_legal black C8
#? [1]
310 is_legal black C8
#? [!1]
320 is_legal black C8
#? [!1]*
330 is_legal black C8
#? [!0]*
340 findlib B9
#? [(A9|A8|C9) (A9|A8|C9)]
350 findlib B9
#? [A8 A9]
360 list_stones black
#? [[A-HJ][1-9]( [A-HJ][1-9])+]
370 color A9
#? [(empty|white)]
380 color A9
#? [Empty]
390 same_dragon B9 C8
#? [1]
400 eval_eye A9
#? [1 1]
410 estimate_score
#? [B\+.*]
420 estimate_score
#? [W\+.*]
430 final_score
#? [B\+28\.5]&
440 reg_genmove white
#? [pass|PASS]&

# Errors, long answers and words.
450 reg_genmove purple
#? [invalid colou?r]
460 reg_genmove purple
#? [C3]*
470 no_such_command
#? [unknown command]
480 no_such_command
#? [!unknown command]
490 known_command reg_genmove
#? [true]
500 known_command no_such_command
#? [true]*
510 worm_data B9
#? [B9:]
520 worm_data B9
#? [.*liberties.*]
530 showboard
#? []
540 echo hello world
#? [hello[[:space:]]*world]
550 echo a[b]c
#? [a\[b\]c]
560 echo a[b]c
#? [a[[]b[]]c]
570 query_boardsize
#? [[[:digit:]]]

# Anchors: of alternatives without parentheses GNU Go's script binds the first to the beginning only.
580 echo black wins
#? [black|white]
590 echo black wins
#? [white|wins]
600 echo the black stones
#? [white|black|empty]
610 echo the black stones
#? [(white|black|empty)]

# Moves on an empty board.
boardsize 9
clear_board
komi 6.5
620 reg_genmove black
#? [E5]
630 play black E5
#? []
640 play white E5
#? []*
650 play white A10
#? [(illegal|invalid).*]
660 countlib E5
#? [4]
670 reg_genmove white
#? [!E5|pass]
680 trymove white A1
#? []
690 color A1
#? [white]
700 popgo
#? []
710 color A1
#? [empty]
720 all_legal black
#? [(A9 .*|.* A9 .*)]
730 name
#? [GNU Go]
740 version
#? [3\.[0-9]+]
750 protocol_version
#? [1|2]
