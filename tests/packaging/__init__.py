"""The service, its installation and its package, without a Raspberry Pi, the superuser or a network."""
