"""What a module keeps, and when it forgets it; open modules."""

from __future__ import annotations

import pytest
from support import module_of

from otsrw.theory.modules import Axiom, Imported, Module
from otsrw.theory.opened import OpenModule
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Term

SPEC = "mod* M { [E] ops a b : -> E op f : E -> E }"


def constant(module: Module, name: str) -> Term:
    return module.signature.constants_named(name)[0].make(())


def equation(module: Module, left: str, right: str) -> Axiom:
    return Axiom(constant(module, left), constant(module, right), None)


@pytest.mark.parametrize("change", ["import", "sort", "operator", "axiom"])
def test_a_module_forgets_what_depends_on_what_has_changed(change: str) -> None:
    base = module_of(SPEC, "M")
    module = Module("N", imports=[Imported("pr", base)])
    signature, closure, sorts = module.signature, module.closure(), module.visible_sorts()
    made = module.derived(Module.flat_axioms)
    assert module.derived(Module.flat_axioms) is made
    match change:
        case "import":
            module.add_import(Imported("pr", Module("K")))
        case "sort":
            module.add_sort(Sort("S", "N", False), "T")
        case "operator":
            module.add_operator(OpDecl(("c",), (), base.sorts[0], PLAIN, "N"))
        case "axiom":
            module.add_axioms([equation(base, "a", "b")])
    assert (module.closure() == closure) is (change != "import")
    assert (module.visible_sorts() == sorts) is (change != "sort")
    assert (module.signature is signature) is (change == "axiom")
    assert module.derived(Module.flat_axioms) is not made


def test_an_axiom_is_known_from_when_it_is_added() -> None:
    module = module_of(SPEC, "M")
    axiom = equation(module, "a", "b")
    assert not module.has_axiom(*axiom[:3])
    module.add_axioms([axiom])
    assert module.has_axiom(*axiom[:3])


def test_a_thin_open_module_shares_what_its_base_sees() -> None:
    base = module_of(SPEC, "M")
    opened = OpenModule(base, base.signature)
    assert opened.extend(OpDecl(("c",), (), base.sorts[0], PLAIN, "%M"))
    assert opened.visible_sorts() is base.visible_sorts()
    assert opened.closure() == (*base.closure(), opened)
    assert opened.signature.parent is base.signature
    assert not base.signature.constants_named("c")


def test_axioms_of_a_thickened_module_belong_to_its_signature_the_newest_first() -> None:
    base = module_of(SPEC, "M")
    opened = OpenModule(base, base.signature)
    opened.extend(OpDecl(("c",), (), base.sorts[0], PLAIN, "%M"))
    opened.add_axioms([equation(opened, "a", "b")])
    opened.add_axioms([equation(opened, "b", "c")])
    opened.thicken()
    assert [str(axiom.lhs) for axiom in opened.axioms] == ["b", "a"]
    assert [axiom.lhs for axiom in opened.axioms] == [constant(opened, "b"), constant(opened, "a")]
    opened.add_axioms([equation(opened, "c", "a")])
    assert [str(axiom.lhs) for axiom in opened.axioms] == ["c", "b", "a"]
    assert opened.signature is not base.signature
