"""A constant that equals a term about itself is rewritten, once the parts of that term have names."""

from __future__ import annotations

from specifications import ots_of

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.workbench import Workbench

MAIL = """
mod* PRIN { [Prin] }
mod! MSG { pr(PRIN) [Msg] op msg : Prin Prin -> Msg {constr} op from : Msg -> Prin var P : Prin var Q : Prin
  eq from(msg(P,Q)) = P . }
mod* MAIL { pr(MSG) *[Sys]* op init : -> Sys bop last : Sys -> Msg bop send : Sys Msg -> Sys var S : Sys var M : Msg
  eq last(send(S,M)) = M . op inv : Sys -> Bool eq inv(S) = last(S) = last(S) . }
"""


def test_the_constant_becomes_a_constructor_term_with_fresh_parts() -> None:
    bench = Workbench(ots_of(MAIL).module)
    named = {symbol.name: symbol for symbol in bench.module.signature.symbols()}
    sorts = {sort.name: sort for sort in bench.module.signature.order.sorts}
    m, q = bench.constant("m", sorts["Msg"]), bench.constant("q", sorts["Prin"])
    about_itself = named["msg"].make((named["from"].make((m,)), q))
    found = Assumptions(bench).assuming([Assumed(bench.connectives.equal(m, about_itself), True)])
    value = found.reduce(m)
    assert found.contradiction is None and found.open == ()
    assert (value.op.name, value.args[1]) == ("msg", q)
    assert value.args[0].op in bench.parts
    assert found.reduce(named["from"].make((m,))) is value.args[0]
