"""Card reading: drawing decks, training the networks, fitting the files beside them, and measuring."""
