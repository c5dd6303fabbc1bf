"""The table on an MQTT broker: for displays of others, home automation, and the page of a whole club."""
