"""The table's voice: warnings, and whose turn it is, through the machine's own loudspeaker."""
