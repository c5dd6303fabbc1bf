"""Card reading: drawing decks, training the networks, fitting what is read beside them, and measuring."""
