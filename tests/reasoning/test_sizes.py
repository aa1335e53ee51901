"""Laws about sizes of collections: found, proved, and true of collections that nobody tried."""

from __future__ import annotations

from itertools import product

import pytest
from support import module_of, term_of

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import COSMOS
from otsrw.theory.terms import Term, variables_of

NONE, STEP = "0", "s size(L)"
FIRST = "if U = V then L else V ; cut(U, L) fi"
ALL = "if U = V then cut(U, L) else V ; cut(U, L) fi"
COUNTED = "if U = a then s as(L) else as(L) fi"


def lists(none: str = NONE, step: str = STEP, cut: str = FIRST, counted: str = COUNTED) -> Module:
    return module_of(
        f"""
mod! USER {{ [User] ops a b : -> User {{constr}} eq (a = b) = false . }}
mod! USERS {{ pr(USER + NAT) [Users]
  op nil : -> Users {{constr}}  op _;_ : User Users -> Users {{constr}}
  op mem : User Users -> Bool  op cut : User Users -> Users  ops size as : Users -> Nat  op hd : Users -> User
  vars U V : User  var L : Users
  eq mem(U, nil) = false .  eq mem(U, (V ; L)) = (U = V) or mem(U, L) .
  eq cut(U, nil) = nil .  eq cut(U, (V ; L)) = {cut} .
  eq size(nil) = {none} .  eq size(V ; L) = {step} .
  eq as(nil) = 0 .  eq as(U ; L) = {counted} .
  eq hd(U ; L) = U . }}""",
        "USERS",
    )


STUCK = ("size ( cut ( U:User , L:Users ) )", "size ( L:Users )", "as ( L:Users )", "as ( cut ( U:User , L:Users ) )")
ELEMENT = "(mem(V,L) implies (not (size(L) = 0)))"
LESS = "(mem(U,U1) implies ((s size(cut(U,U1))) = size(U1)))"
COUNT = "(((not (L = nil)) and (hd(L) = a)) implies (not (as(L) = 0)))"


def laws(module: Module) -> list[Term]:
    """The formulas that are proved for all stuck terms."""
    book = LemmaBook(module, equations_by_symbol(module), COSMOS)
    terms = [term_of(text, module) for text in STUCK]
    while book.for_stuck(terms):
        pass
    book.for_sizes(terms)
    return [proof.lemma.formula for proof in book.proofs]


def test_laws_about_sizes_are_found_and_proved() -> None:
    assert {ELEMENT, LESS, COUNT} <= {show_plainly(law) for law in laws(lists())}


@pytest.mark.parametrize(
    ("module", "wrong"),
    [
        (lists(step="size(L)"), ELEMENT),
        (lists(cut=ALL), LESS),
        (lists(cut="V ; L"), LESS),
        (lists(cut="nil"), LESS),
        (lists(counted="if U = b then s as(L) else as(L) fi"), COUNT),
        (lists(counted="if U = a then as(L) else as(L) fi"), COUNT),
    ],
)
def test_no_law_is_proved_that_is_false(module: Module, wrong: str) -> None:
    assert wrong not in [show_plainly(law) for law in laws(module)]


@pytest.mark.parametrize(
    "module", [lists(), lists(cut=ALL), lists(step="s s size(L)"), lists(none="2"), lists(cut="L")]
)
def test_what_is_proved_holds_for_longer_lists(module: Module) -> None:
    plain = Assumptions(Workbench(module))
    texts = ["".join(f"( {each} ; " for each in word) + "nil" + " )" * 4 for word in product("ab", repeat=4)]
    values = {
        "User": [term_of(each, module) for each in "ab"],
        "Nat": [term_of(str(each), module) for each in (0, 3)],
        "Users": [term_of(text, module) for text in ("nil", *texts)],
    }
    found = laws(module)
    assert found
    for law in found:
        variables = variables_of(law)
        for point in product(*(values[v.sort.name] for v in variables)):
            claim = substitute(law, dict(zip(variables, point, strict=True)))
            assert show_plainly(plain.reduce(claim)) == "true", show_plainly(claim)
