"""The first unit of every run and of every resumed part: the identification of the bot."""

HANDSHAKE = "handshake"
"""The case name of this unit."""
LINES = ("protocol_version", "name", "version", "list_commands")
"""The commands of this unit, in their order."""
SIZES = "sizes"
"""The case name of the units that find out which board sizes a bot accepts."""
