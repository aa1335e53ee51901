"""Which constants of the state sort are initial states."""

from __future__ import annotations

from otsrw.ots import find_ots
from otsrw.proofs import Session

SYSTEM = """
mod* M { *[Sys]* op init : -> Sys bop on : Sys -> Bool bop flip : Sys -> Sys var S : Sys
  eq on(init) = false . eq on(flip(S)) = not on(S) .
  op inv : Sys -> Bool eq inv(S) = on(S) or not on(S) . }
mod* INV { pr(M) ops s s' : -> Sys op istep : -> Bool eq istep = inv(s) implies inv(s') . }
"""


def test_arbitrary_states_of_a_proof_are_no_initial_states() -> None:
    session = Session()
    session.run_text(SYSTEM)
    ots = find_ots(session.library)
    assert (ots.name, [symbol.name for symbol in ots.initials]) == ("INV", ["init"])
