"""The page for somebody far away: what of it travels by the line, and who asks for it here."""
