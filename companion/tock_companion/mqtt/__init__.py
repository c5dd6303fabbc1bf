"""The table on an MQTT broker: for other people's displays, home automation, and the page of a club."""
