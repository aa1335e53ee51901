"""Random observational transition systems as data, printed as CafeOBJ, and an oracle that explores them by itself."""
