"""CITP, the prover inside CafeOBJ: goals, tactics and their commands, and the dialect of CiMPA.

`goals.py` has the data: goals and the tree of goals. A tactic is a function from a goal to a `TacticOutcome`.
"""
