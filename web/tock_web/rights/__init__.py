"""Rights of hosts and devices: secrets, cookies, the PIN and the machine code."""
