"""Results for eyes and for programs: text, colour and JSON renderings of the same records."""
