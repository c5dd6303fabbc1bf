"""Changes to this machine, its Wi-Fi and its package that need the superuser; `service.helper` makes them."""
