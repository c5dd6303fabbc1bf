"""The program: commands, settings and the running companion, composed of the packages below."""
