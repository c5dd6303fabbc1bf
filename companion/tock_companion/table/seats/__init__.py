"""The holders of seats: people and their secrets, computers, the host, and the cards hidden from newcomers."""
