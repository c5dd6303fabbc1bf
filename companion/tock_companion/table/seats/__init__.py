"""Who holds which seat: people and their secrets, computers, the host, and the cards that a newcomer may not see."""
