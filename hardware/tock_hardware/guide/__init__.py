"""The build guide in French and English, its drawings, and the safety page, filled with the project's numbers."""
