"""The first unit of every run, and of every part of one that was resumed: who the bot is."""

HANDSHAKE = "handshake"
"""Its case name."""
LINES = ("protocol_version", "name", "version", "list_commands")
"""What is asked, in this order."""
SIZES = "sizes"
"""Case name of the units that find out which boards a bot accepts."""
