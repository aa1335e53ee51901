"""Functions that nothing defines get values in an instance, which satisfy what equations say of them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from commands import run
from specifications import ots_of

from otsrw.ots.interpretation import interpreted
from otsrw.ots.openness import data_axioms, open_parts, parts_of
from otsrw.ots.stepping import Stepper
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.terms import variables_of

TABLE = """mod* TABLE {{ [Phil Fork] ops left right : Phil -> Fork {data} }}
mod* DINNER {{
  pr(TABLE)
  *[Sys]*
  op init : -> Sys
  bop used : Sys Fork -> Bool
  bop eats : Sys Phil -> Bool
  bop take : Sys Phil -> Sys
  op apart : Sys Phil Phil -> Bool
  var S : Sys  vars P Q : Phil  var F : Fork
  eq used(init,F) = false .  eq eats(init,P) = false .
  ceq used(take(S,P),F) = (F = left(P) or F = right(P) or used(S,F)) if {guard} .
  ceq eats(take(S,P),Q) = (Q = P or eats(S,Q)) if {guard} .
  ceq take(S,P) = S if not ({guard}) .
  eq apart(S,P,Q) = (eats(S,P) and eats(S,Q) and right(P) = left(Q)) implies P = Q .
}}"""
CAREFUL = "not used(S,left(P)) and not used(S,right(P))"
CARELESS = "not used(S,left(P))"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("", {"left", "right"}),
        ("var P : Phil eq (left(P) = right(P)) = false .", set()),
        ("var P : Phil eq left(P) = right(P) .", set()),
        ("op of : Fork -> Phil var P : Phil eq [circle :nonexec] : of(left(P)) = P .", {"right"}),
        ("op nearest : Phil -> Fork {constr}", {"left", "right"}),
    ],
    ids=[
        "nothing is said",
        "an equation on both",
        "a definition by the other",
        "an axiom that is not rewritten with",
        "a constructor",
    ],
)
def test_functions_are_loose_if_no_equation_about_data_speaks_of_them(data: str, found: set[str]) -> None:
    ots = ots_of(TABLE.format(data=data, guard=CAREFUL))
    assert {symbol.name for symbol in open_parts(ots).functions} == found


def test_the_first_choice_of_values_is_a_ring() -> None:
    instance = interpreted(ots_of(TABLE.format(data="", guard=CAREFUL)), {"Phil": ("a", "b", "c")}, 0)
    assert instance is not None
    forks = {f"{show(each.lhs)} = {show(each.rhs)}" for each in instance.meanings}
    ring = {"left(a) = f1", "left(b) = f2", "left(c) = f3", "right(a) = f2", "right(b) = f3", "right(c) = f1"}
    assert forks == ring
    assert all(show(instance.normal_form(each.lhs)) == show(each.rhs) for each in instance.meanings)


def test_without_loose_functions_there_is_no_choice() -> None:
    text = TABLE.format(data="", guard=CAREFUL).replace("Phil -> Fork", "Phil -> Fork {constr}")
    assert interpreted(ots_of(text), {"Phil": ("a", "b"), "Fork": ("f",)}, 0) is None


def values_of(text: str, **entities: tuple[str, ...]) -> dict[str, str]:
    """The values that are chosen for a specification, the regular ones."""
    instance = interpreted(ots_of(text), entities, 0)
    return {} if instance is None else {show(each.lhs): show(each.rhs) for each in instance.meanings}


@pytest.mark.parametrize(
    "data",
    [
        "var P : Phil eq left(P) = right(P) .",
        "vars P Q : Phil eq (left(P) = left(Q)) = (P = Q) .",
        "var P : Phil eq (left(P) = right(P)) = false .",
        "op of : Fork -> Phil var P : Phil eq of(left(P)) = P .",
        "op of : Fork -> Phil var P : Phil eq [circle :nonexec] : of(left(P)) = P .",
        "op ours : Fork -> Bool var P : Phil eq ours(left(P)) = true . eq ours(right(P)) = true .",
        "op ours : Fork -> Bool var P : Phil eq ours(left(P)) = true . eq ours(right(P)) = false .",
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_functions_get_values_that_satisfy_what_equations_say(data: str, seed: int) -> None:
    """Every ground instance of every equation is true of them: that is checked here by rewriting in the instance."""
    ots = ots_of(TABLE.format(data=data, guard=CAREFUL))
    instance = interpreted(ots, {"Phil": ("a", "b", "c")}, seed)
    assert instance is not None
    for axiom in data_axioms(ots, instance.module):
        variables = list(dict.fromkeys(v for part in parts_of(axiom) for v in variables_of(part)))
        for values in product(*[instance.domain(v.sort) or () for v in variables]):
            bindings = dict(zip(variables, values, strict=True))
            left, right = (substitute(side, bindings) for side in (axiom.lhs, axiom.rhs))
            assert instance.normal_form(left) is instance.normal_form(right)


def test_a_function_that_keeps_values_apart_leaves_some_of_them_over() -> None:
    """Otherwise a guard such as `not first(K)` would be false of all keys, and nothing would happen."""
    data = "op first : Fork -> Bool vars P Q : Phil eq (left(P) = left(Q)) = (P = Q) . eq first(left(P)) = true ."
    values = values_of(TABLE.format(data=data, guard=CAREFUL), Phil=("a", "b"))
    assert len({values["left(a)"], values["left(b)"]}) == 2
    first = {fork: values[f"first({fork})"] for fork in ("f1", "f2", "f3", "f4", "f5")}
    assert {fork for fork, value in first.items() if value == "true"} == {values["left(a)"], values["left(b)"]}


def test_a_ring_told_by_two_functions_gets_both() -> None:
    data = "ops next prev : Phil -> Phil var P : Phil eq prev(next(P)) = P . eq next(prev(P)) = P ."
    values = values_of(TABLE.format(data=data, guard=CAREFUL), Phil=("a", "b", "c"))
    assert {values[f"next({each})"] for each in "abc"} == set("abc")
    assert all(values[f"prev({values[f'next({each})']})"] == each for each in "abc")


@pytest.mark.parametrize(("guard", "verdict"), [(CAREFUL, "verified"), (CARELESS, "falsified")])
def test_igf_decides_what_depends_on_the_values_and_names_them(guard: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "dinner.cafe"
    file.write_text(TABLE.format(data="", guard=guard), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", "apart", "--json")
    found = json.loads(out)
    assert found["verdict"] == verdict
    assert "right(p1) = f2" in found["left_out"]


CLOUD = """mod* VALUE {{ [Value] op least : -> Value op _<=_ : Value Value -> Bool vars V W X : Value {order} }}
mod! PHASE {{ [Phase] ops idle got : -> Phase {{constr}} eq (idle = got) = false . }}
mod* CLOUD {{
  pr(VALUE + PHASE)
  [Client]
  *[Sys]*
  op init : -> Sys
  bop phase : Sys Client -> Phase
  bop kept : Sys -> Value
  bop copy : Sys Client -> Value
  bops write fetch : Sys Client -> Sys
  op new : Sys Client -> Value
  op fresh : Sys Client -> Bool
  var S : Sys  vars I J : Client
  eq phase(init,I) = idle .
  ceq kept(write(S,I)) = (if kept(S) <= new(S,I) then new(S,I) else kept(S) fi) if {guard} .
  eq phase(write(S,I),J) = phase(S,J) .
  eq copy(write(S,I),J) = copy(S,J) .
  ceq write(S,I) = S if not ({guard}) .
  eq kept(fetch(S,I)) = kept(S) .
  eq phase(fetch(S,I),J) = (if I = J then got else phase(S,J) fi) .
  eq copy(fetch(S,I),J) = (if I = J then kept(S) else copy(S,J) fi) .
  eq fresh(S,I) = (phase(S,I) = got) implies (copy(S,I) = kept(S)) .
}}"""
ORDER = "eq V <= V = true . eq least <= V = true ."


@pytest.mark.parametrize(
    "order",
    [
        ORDER,
        "ceq (V = W) = true if (V <= W) and (W <= V) .",
    ],
    ids=["reflexive", "an axiom on equality"],
)
def test_a_relation_gets_values_that_satisfy_what_equations_say(order: str) -> None:
    instance = interpreted(ots_of(CLOUD.format(order=order, guard="true")), {"Client": ("a", "b")}, 0)
    assert instance is not None
    values = {show(each.lhs): show(each.rhs) for each in instance.meanings}
    assert values["(v1 <= v2)"] == "true"
    assert values["(v2 <= v1)"] == "false"


@pytest.mark.parametrize(
    "order", ["eq V <= V = true . ceq (V <= W) = false if V = W .", "eq (V <= W) = not (W <= V) ."]
)
def test_a_relation_gets_no_values_if_none_satisfies_the_equations(order: str) -> None:
    instance = interpreted(ots_of(CLOUD.format(order=order, guard="true")), {"Client": ("a", "b")}, 0)
    assert instance is not None
    assert {each.lhs.op.name for each in instance.meanings} == {"new"}


def test_a_function_of_the_state_changes_with_every_effective_step() -> None:
    instance = interpreted(ots_of(CLOUD.format(order=ORDER, guard="phase(S,I) = idle")), {"Client": ("a", "b")}, 0)
    assert instance is not None
    stepper = Stepper(instance)
    place = next(number for number, slot in enumerate(instance.slots) if slot.name == "new(a)")
    start = stepper.initial_states()[0]
    values = {show(start.values[place])}
    for _, after in stepper.successors(start):
        values.add(show(after.values[place]))
    assert len(values) == 2
    assert {slot.name for slot in instance.arbitrary} == {"kept", "copy(a)", "copy(b)", "new(a)", "new(b)"}
    assert not instance.starts_left_out


def test_some_initial_states_are_taken_where_there_are_too_many() -> None:
    instance = interpreted(ots_of(CLOUD.format(order=ORDER, guard="true")), {"Client": ("a", "b", "c", "d")}, 0)
    assert instance is not None
    assert len(Stepper(instance).initial_states()) + instance.starts_left_out == 3**9


def test_states_that_equations_make_equal_keep_functions_of_the_state_open() -> None:
    text = CLOUD.format(order=ORDER, guard="true").replace("var S : Sys", "var S : Sys  eq fetch(fetch(S,I),I) = S .")
    assert not open_parts(
        ots_of(text.replace("vars I J : Client", "").replace("var S", "vars I J : Client  var S"))
    ).of_states


@pytest.mark.parametrize(("guard", "verdict"), [("not (phase(S,I) = got)", "falsified"), ("nobody(S)", "verified")])
def test_igf_decides_what_depends_on_new_values(guard: str, verdict: str, tmp_path: Path) -> None:
    text = CLOUD.format(order=ORDER, guard="false" if verdict == "verified" else guard)
    file = tmp_path / "cloud.cafe"
    file.write_text(text, encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", "fresh", "--json")
    found = json.loads(out)
    assert found["verdict"] == verdict
    assert "new changes with every step" in found["left_out"]


WINDOW = """mod* WINDOW {{
  pr(NAT)
  *[Win]*
  op init : -> Win
  op w : -> Nat
  {axiom}
  bops sent acked : Win -> Nat
  bops send ack : Win -> Win
  ops c-send c-ack : Win -> Bool
  op inside : Win -> Bool
  var W : Win
  eq sent(init) = 0 .  eq acked(init) = 0 .
  eq c-send(W) = sent(W) {compared} acked(W) + w .
  ceq sent(send(W)) = sent(W) + 1 if c-send(W) .
  eq acked(send(W)) = acked(W) .
  ceq send(W) = W if not c-send(W) .
  eq c-ack(W) = acked(W) < sent(W) .
  eq sent(ack(W)) = sent(W) .
  ceq acked(ack(W)) = acked(W) + 1 if c-ack(W) .
  ceq ack(W) = W if not c-ack(W) .
  eq inside(W) = sent(W) <= acked(W) + w .
}}"""


@pytest.mark.parametrize(
    ("axiom", "values"),
    [
        ("", {"2"}),
        ("eq (0 < w) = true .", {"1", "2"}),
        ("eq [small :nonexec] : (w < 2) = true .", {"0", "1"}),
        ("eq (100 < w) = true .", set()),
    ],
    ids=["any value", "not zero", "an axiom that is not rewritten with", "none of the values that are tried"],
)
def test_a_constant_without_an_equation_gets_a_small_value_that_its_axioms_allow(axiom: str, values: set[str]) -> None:
    instance = interpreted(ots_of(WINDOW.format(axiom=axiom, compared="<")), {}, 0)
    found = set() if instance is None else {show(each.rhs) for each in instance.meanings}
    assert found <= values
    assert bool(found) == bool(values)


@pytest.mark.parametrize(("compared", "verdict"), [("<", "verified"), ("<=", "falsified")])
def test_igf_searches_with_a_value_for_such_a_constant(compared: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "window.cafe"
    file.write_text(WINDOW.format(axiom="", compared=compared), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", "inside", "--json")
    found = json.loads(out)
    assert found["verdict"] == verdict
    assert "w = 2" in found["left_out"]


DESK = """mod* KEYS {
  [Room Key]
  op key : Room -> Key
  op first : Key -> Bool
  vars Q R : Room
  eq (key(Q) = key(R)) = (Q = R) .
  eq first(key(R)) = true .
}
mod* DESK {
  pr(KEYS)
  *[Sys]*
  op init : -> Sys
  bop last : Sys Room -> Key
  bop give : Sys Room Key -> Sys
  ops old apart : Sys Room Room -> Bool
  var S : Sys  vars Q R : Room  var K : Key
  eq last(init,R) = key(R) .
  ceq last(give(S,R,K),Q) = (if Q = R then K else last(S,Q) fi) if not first(K) .
  ceq give(S,R,K) = S if first(K) .
  eq old(S,R,Q) = first(last(S,R)) .
  eq apart(S,R,Q) = (last(S,R) = key(Q)) implies (R = Q) .
}"""


@pytest.mark.parametrize(("invariant", "verdict"), [("old", "falsified"), ("apart", "verified")])
def test_igf_searches_with_functions_that_satisfy_the_equations(invariant: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "desk.cafe"
    file.write_text(DESK, encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", invariant, "--json")
    found = json.loads(out)
    assert (found["verdict"], found["states"] > 1) == (verdict, True)
    assert "key(r1) = k1, key(r2) = k2, key(r3) = k3, first(k1) = true" in found["left_out"]
