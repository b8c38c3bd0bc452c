"""The nouns: frozen values that every floor above shares. Nothing here reads a file, asks a judge or prints."""
