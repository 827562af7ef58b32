"""The first unit of every run: who the bot is."""

HANDSHAKE = "handshake"
"""Its case name."""
LINES = ("protocol_version", "name", "version", "list_commands")
"""What is asked, in this order."""
