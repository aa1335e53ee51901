"""The command line: one small module a command; `main` finds it, renders errors and gives exit codes."""
