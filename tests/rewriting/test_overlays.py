"""Overlays: what is in force inside one, and what is left of it afterwards."""

from __future__ import annotations

import pytest
from support import module_of, term_of

from otsrw.rewriting.budget import Budget
from otsrw.rewriting.layers import Layer
from otsrw.rewriting.machine import Machine
from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.rules import Rule
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.opened import OpenModule

SPEC = "mod* M { [E] ops a b c : -> E op f : E -> E op g : E E -> E eq f(b) = c . eq g(X:E,Y:E) = f(a) . }"


def assumption(module: Module, left: str, right: str) -> Axiom:
    return Axiom(term_of(left, module), term_of(right, module), None)


def layer(machine: Machine, module: Module, left: str, right: str) -> Layer:
    made = Layer(machine)
    made.add([Rule.of(assumption(module, left, right))])
    return made


def test_inside_an_overlay_its_rules_come_first_and_the_next_one_undoes_them() -> None:
    module = module_of(SPEC, "M")
    machine = Machine(module)
    first, second = layer(machine, module, "a", "b"), layer(machine, module, "f(a)", "b")
    bare = machine.runtime.bare
    expected = {bare: "f(a)", first: "c", second: "b"}
    for overlay in (bare, first, second, first, bare, second, bare):
        with overlay:
            assert str(machine.run(term_of("g(b,b)", module), Budget())) == expected[overlay]


def test_an_overlay_inside_another_gives_way_to_it_again() -> None:
    module = module_of(SPEC, "M")
    machine = Machine(module)
    outer, inner = layer(machine, module, "a", "b"), layer(machine, module, "f(a)", "b")
    with outer:
        with inner, inner:
            assert str(machine.run(term_of("f(a)", module), Budget())) == "b"
        assert str(machine.run(term_of("f(a)", module), Budget())) == "c"


def test_an_overlay_that_is_entered_again_keeps_normal_forms() -> None:
    module = module_of(SPEC, "M")
    machine = Machine(module)
    overlay = layer(machine, module, "a", "b")
    for expected in (2, 0):
        before = machine.runtime.rewrites
        with overlay:
            machine.run(term_of("f(a)", module), Budget())
        assert machine.runtime.rewrites - before == expected


def test_undoing_leaves_the_namespace_as_it_was() -> None:
    module = module_of(SPEC, "M")
    machine = Machine(module)
    overlay = layer(machine, module, "f(a)", "b")
    with machine.runtime.bare:
        machine.run(term_of("g(b,b)", module), Budget())
    names = {name: value for name, value in machine.runtime.namespace.items() if name[0] in "fk"}
    with overlay:
        machine.run(term_of("g(b,b)", module), Budget())
        assert machine.runtime.log.names
    machine.runtime.bare.come_into_force()
    assert not machine.runtime.log.names
    assert names == {name: machine.runtime.namespace[name] for name in names}


def test_a_reduction_that_is_cut_short_leaves_no_traces() -> None:
    module = module_of("mod* M { [E] ops a b : -> E op f : E -> E op s : E -> E eq f(X:E) = f(s(X)) . }", "M")
    rewriter = Rewriter(OpenModule(module, module.signature, [assumption(module, "a", "b")]))
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            rewriter.reduce(term_of("s(f(a))", module), Budget(100))
    assert str(rewriter.reduce(term_of("s(a)", module)).term) == "s(b)"


def test_a_rewriter_is_told_of_what_is_assumed_later() -> None:
    module = module_of(SPEC, "M")
    rewriter = Rewriter(OpenModule(module, module.signature, [assumption(module, "a", "b")]))
    assert str(rewriter.reduce(term_of("f(a)", module)).term) == "c"
    rewriter.assume([assumption(module, "a", "c")])
    assert str(rewriter.reduce(term_of("a", module)).term) == "c"
