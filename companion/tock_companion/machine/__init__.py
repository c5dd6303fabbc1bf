"""What only the superuser may do to this machine, its Wi-Fi and its package; `service.helper` does it."""
