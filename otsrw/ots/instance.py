"""An OTS with finitely many entities: the constants of its loose sorts, and the slots of its state.

The meaning of an instance is the initial model of the specification with these constants: entities are different from
each other, and ground terms are equal if equations make them so. That is `decided_equality` in its module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations, product
from math import prod

from otsrw.ots.hints import Hint
from otsrw.ots.lawful import demand_laws
from otsrw.ots.model import Ots, StateOperator
from otsrw.ots.recognise import recognise
from otsrw.reasoning.connectives import Connectives
from otsrw.records import dataclass, replace
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.values import GroundValues
from otsrw.syntax.diagnostics import OtsrwError, did_you_mean
from otsrw.syntax.lexer import Words
from otsrw.syntax.source import NOWHERE, Source, Span
from otsrw.syntax.tree import Bubble
from otsrw.theory.builtins import LITERAL_SORTS, Builtin
from otsrw.theory.modules import Axiom, Imported, Module, equations_by_symbol
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term, variable

MAX_REWRITES = 5_000_000
"""Rewrites for one observed value; more would be no step of a search, but an equation that loops."""

MAX_FINITE = 200
"""Elements of a finite data sort that are enumerated without being asked for."""

MAX_STARTS = 1000
"""Initial states that are made for values which no equation specifies."""

SOME_STARTS = 40
"""Initial states that are chosen if there are more choices of these values, and some are enough."""

ENOUGH = "enough"
"""Stands for the number of entities that is enough for a depth."""

START = "any-start-"
"""The names of these states begin with it."""

_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_NAME = re.compile(r"[A-Za-z][\w'*?!+-]*\Z")
_BETWEEN = re.compile(r"[\s,]+(?![^(]*\))")
"""What separates entities in a file: blanks or commas, but for those between parentheses."""


@dataclass(frozen=True, eq=False, slots=True)
class Slot:
    """An observer at ground indexes: one component of a state."""

    observer: StateOperator
    indexes: tuple[Term, ...]
    variable: Term

    @property
    def name(self) -> str:
        inner = ",".join(map(show, self.indexes))
        return f"{self.observer.name}({inner})" if inner else self.observer.name


class MissingValues(OtsrwError):
    """Nothing says which values of a sort there are, or which of them to try."""

    def __init__(self, sort: Sort, code: str, message: str, span: Span, hint: str) -> None:
        super().__init__(code, message, span, hint)
        self.sort = sort


class Instance:
    """An OTS together with its entities: a module of its own, in which `ots` is the same OTS.

    >>> from otsrw.ots import find_ots
    >>> from otsrw.proofs import load
    >>> instance = Instance(find_ots(load("specs/tas.cafe")), {"Pid": ("p1", "p2")})
    >>> [slot.name for slot in instance.slots]
    ['locked', 'pc(p1)', 'pc(p2)']
    """

    def __init__(
        self,
        ots: Ots,
        entities: Mapping[str, tuple[str, ...]],
        max_rewrites: int | None = None,
        meanings: Callable[[Module], Iterable[Axiom]] | None = None,
        may_choose_starts: bool = False,
        deadline: float | None = None,
    ) -> None:
        """`meanings` gives equations for functions that the specification leaves open.

        If there are too many initial states, some of them are taken if `may_choose_starts`, else none has values.
        `LawBroken` is raised if the entities do not obey what loose modules state.
        """
        self.deadline = deadline
        """When evaluations are given up, in the time of `time.monotonic`; None: never."""
        self.given = dict(entities)
        self._max_rewrites = max_rewrites or MAX_REWRITES
        self.base = ots
        """The OTS without entities."""
        module = _populated(ots, entities)
        self.meanings = tuple(meanings(module)) if meanings is not None else ()
        """Equations for functions that the specification leaves open."""
        module.add_axioms(self.meanings)
        self._describe(module, entities)
        demand_laws(self)
        self.arbitrary: tuple[Slot, ...] = ()
        """Slots that no equation describes in the initial state: they may have any value there."""
        self.starts_left_out = 0
        """Choices of values for these slots that no initial state has."""
        self._starts: list[tuple[Term, ...]] = []
        self._choose_starts(may_choose_starts)
        if self.arbitrary:
            self._describe(self._with_starts(), entities)

    def _describe(self, module: Module, entities: Mapping[str, tuple[str, ...]]) -> None:
        """Find all that there is to know about the module of the instance."""
        self.module = module
        self.ots = recognise(module)
        chosen = tuple(symbol for symbol in self.ots.initials if symbol.name.startswith(START))
        if chosen:
            self.ots = replace(self.ots, initials=chosen)
        self.connectives = Connectives(self.module.signature)
        self.rewriter = Rewriter(self.module)
        self.values = self.module.derived(GroundValues)
        self.rules = self.module.derived(equations_by_symbol)
        self._domains: dict[Sort, tuple[Term, ...] | None] = {}
        self._domains.update(self._populations(entities))
        self.slots: tuple[Slot, ...] = tuple(self._slots())
        self.slot_of: dict[tuple[object, ...], Slot] = {(s.observer.symbol, *s.indexes): s for s in self.slots}

    def _choose_starts(self, may_choose: bool) -> None:
        """Find the slots without a value in the only initial state, and choices of values for them."""
        if len(self.ots.initials) != 1 or self.ots.initials[0].nargs:
            return
        state = self.ots.initials[0].make(())
        slots = [s for s in self.slots if (start := s.observer.apply(state, s.indexes)) is self.normal_form(start)]
        domains = [self.domain(slot.observer.value) or () for slot in slots]
        number = prod(map(len, domains))
        if not 0 < number <= MAX_STARTS and not (number and may_choose):
            return
        import random

        chance = random.Random(number)
        some = (tuple(chance.choice(domain) for domain in domains) for _ in range(SOME_STARTS))
        self._starts = list(dict.fromkeys(product(*domains) if number <= MAX_STARTS else some))
        self.arbitrary = tuple(slots)
        self.starts_left_out = number - len(self._starts)

    def _with_starts(self) -> Module:
        """The module with an initial state for each choice of the values that are not specified."""
        module = Module(
            self.module.name,
            "mod",
            [Imported("pr", self.module)],
            span=self.module.span,
            decided_equality=True,
            state_sort=self.ots.sort,
        )
        module.variables = dict(self.module.variables)
        state = self.ots.initials[0].make(())
        known = [(slot, self.normal_form(slot.observer.apply(state, slot.indexes))) for slot in self.slots]
        names = [f"{START}{number}" for number in range(1, len(self._starts) + 1)]
        for name in names:
            module.add_operator(OpDecl((name,), (), self.ots.sort, PLAIN, module.name))
        memo: dict[Term, Term] = {}
        translate = module.signature.translate
        for name, values in zip(names, self._starts, strict=True):
            start = module.signature.constants_named(name)[0].make(())
            chosen = dict(zip(self.arbitrary, values, strict=True))
            for slot, value in known:
                left = translate(slot.observer.apply(state, slot.indexes), memo)
                left = left.op.make(tuple(start if arg.sort is self.ots.sort else arg for arg in left.args))
                module.add_axioms((Axiom(left, translate(chosen.get(slot, value), memo), None),))
        return module

    def _populations(self, entities: Mapping[str, tuple[str, ...]]) -> dict[Sort, tuple[Term, ...]]:
        """The entities of each sort, those of its subsorts included; names for one element count once."""
        named = {_sort_named(self.module, name): words for name, words in entities.items()}
        own = {sort: [self._entity(word, sort) for word in words] for sort, words in named.items()}
        leq = self.module.signature.order.leq
        return {
            sort: tuple(dict.fromkeys(entity for lower in own if leq(lower, sort) for entity in own[lower]))
            for sort in own
        }

    def _entity(self, text: str, sort: Sort) -> Term:
        return self.normal_form(element_named(self.module, text, sort))

    @cached_property
    def incomplete(self) -> tuple[Sort, ...]:
        """The sorts that have elements which are no entities: numbers, constants that the specification names."""
        sorts = {_sort_named(self.base.module, name): set(words) for name, words in self.given.items()}
        return tuple(sort for sort, words in sorts.items() if not self._names_all(sort, words))

    def _names_all(self, sort: Sort, words: set[str]) -> bool:
        if is_open(self.base.module, sort):
            return {symbol.name for symbol in named_entities(self.base, sort)} <= words
        rules = equations_by_symbol(self.base.module)
        symbols = [s for s in self.base.module.signature.symbols() if s.native is None and s not in rules]
        makers = [s for s in symbols if any(decl.coarity is sort for decl in s.decls)]
        return bool(makers) and all(s.nargs == 0 and s.name in words for s in makers)

    def normal_form(self, term: Term) -> Term:
        return self.rewriter.reduce(term, Budget(self._max_rewrites, self.deadline)).term

    def is_value(self, term: Term) -> bool:
        """Is a normal form built by what builds values? A function that no equation evaluates has none."""
        return self.values.has(term)

    def domain(self, sort: Sort) -> tuple[Term, ...] | None:
        """The elements of a sort, if they are entities or finitely many constructor terms."""
        if sort not in self._domains:
            self._domains[sort] = None
            self._domains[sort] = self._finite(sort)
        return self._domains[sort]

    def _finite(self, sort: Sort) -> tuple[Term, ...] | None:
        order = self.module.signature.order
        for populated, elements in self._domains.items():
            if elements is not None and populated is not sort and order.leq(sort, populated):
                return tuple(e for e in elements if order.leq(e.sort, sort)) or None
        if sort in LITERAL_SORTS.values():
            return None
        found: dict[Term, None] = {}
        for symbol in self.module.signature.symbols():
            for decl in symbol.decls:
                if not order.leq(decl.coarity, sort) or symbol.native is not None or symbol in self.rules:
                    continue
                if symbol.has_theory:
                    return None
                parts = [self.domain(argument) for argument in decl.arity]
                if any(part is None for part in parts):
                    return None
                for args in product(*[part for part in parts if part is not None]):
                    found[symbol.make(args)] = None
                    if len(found) > MAX_FINITE:
                        return None
        return tuple(found) or None

    def _slots(self) -> Iterator[Slot]:
        for observer in self.ots.observers:
            domains = []
            for sort in observer.indexes:
                domain = self.domain(sort)
                if domain is None:
                    raise MissingValues(
                        sort,
                        "E509",
                        f"observer {observer.name} has an index of sort {sort.name}, which has no entities",
                        observer.symbol.decls[0].span,
                        f"give them with '--with {sort.name}=a,b' or '-- @ with {sort.name} = a b' in the file",
                    )
                domains.append(domain)
            for indexes in product(*domains):
                inner = ",".join(map(show, indexes))
                name = f"{observer.name}[{inner}]" if inner else observer.name
                yield Slot(observer, indexes, variable(f"{name}#", observer.value))


class RestartedInstance(Instance):
    """An instance with other initial states: those that have certain values in its slots, reachable or not."""

    def __init__(self, instance: Instance, states: Iterable[tuple[Term, ...]]) -> None:
        """The instance must not have chosen initial states, as it does where values are not specified."""
        vars(self).update(vars(instance))
        self.arbitrary = self.slots
        self._starts = list(states)
        self._describe(self._with_starts(), self.given)


def entities_of(ots: Ots, given: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """Entities from the file, overridden by those given as `Sort=a,b` or `Sort=3`."""
    found = {name: _of_file(ots, hint) for name, hint in ots.entities.items()}
    for text in given:
        name, separator, words = text.partition("=")
        if not separator or not words.strip():
            raise OtsrwError("E511", f"{text!r} does not give entities", hint="write Sort=a,b,c or Sort=3")
        own = tuple(symbol.name for symbol in named_entities(ots, _sort_named(ots.module, name.strip())))
        known = found.get(name.strip(), own)
        others = {word for sort, entities in found.items() if sort != name.strip() for word in entities}
        found[name.strip()] = _spelled(name.strip(), words.strip(), known, own, others)
    return found


def _of_file(ots: Ots, hint: Hint) -> tuple[str, ...]:
    """The entities that a file names; a number stands for so many of a sort that is no sort of numbers."""
    sort, words = _sort_named(ots.module, hint.name, hint.span), hint.words.strip()
    if words.isdecimal() and is_open(ots.module, sort):
        own = tuple(symbol.name for symbol in named_entities(ots, sort))
        return _spelled(hint.name, words, own, own)
    return tuple(word for word in _BETWEEN.split(words) if word)


def named_entities(ots: Ots, sort: Sort) -> list[Symbol]:
    """The constants that the specification names of a sort that may have other elements, too."""
    if not is_open(ots.module, sort):
        return []
    rules = equations_by_symbol(ots.module)
    return [
        symbol
        for symbol in ots.module.signature.symbols()
        if symbol.decls and symbol.nargs == 0 and symbol not in rules and symbol.decls[0].coarity is sort
    ]


def element_named(module: Module, text: str, sort: Sort) -> Term:
    """The term of a sort that a text is in a module."""
    source = Source("<entity>", text)
    words = Words(source).texts
    places = list(range(len(words)))
    kind = module.signature.order.kind[sort]
    try:
        return parse_term(Bubble(source, words, places, places), scope_of(module), kind)
    except OtsrwError as error:
        why = error.problem.message
        raise OtsrwError("E511", f"{text!r} cannot be an entity of sort {sort.name}: {why}") from None


def is_open(module: Module, sort: Sort) -> bool:
    """May a sort have elements that no module names? A tight module that builds none says nothing about them."""
    home = next((each for each in module.closure() if sort in each.sorts), None)
    if home is None or home.is_system or sort.hidden:
        return False
    return not home.is_tight or not any(decl.coarity is sort for decl in home.decls)


def growing_entities(ots: Ots, given: Iterable[str]) -> Iterator[dict[str, tuple[str, ...]]]:
    """As `entities_of`, where a number may be a range `2..4`: one choice after the other, smaller ones first."""
    ranges: list[tuple[str, range]] = []
    fixed: list[str] = []
    for text in given:
        name, _, words = text.partition("=")
        found = _RANGE.fullmatch(words.strip())
        if found is None:
            fixed.append(text)
        else:
            ranges.append((name, range(int(found.group(1)), int(found.group(2)) + 1)))
            if not ranges[-1][1] or len(ranges[-1][1]) > 100:
                raise OtsrwError("E511", f"{text!r} is no range of numbers of entities", hint="write Sort=2..4")
    for sizes in sorted(product(*[numbers for _, numbers in ranges]), key=sum):
        chosen = [f"{name}={size}" for (name, _), size in zip(ranges, sizes, strict=True)]
        yield entities_of(ots, [*fixed, *chosen])


def enlarged(ots: Ots, entities: Mapping[str, tuple[str, ...]], least: int = 3) -> dict[str, tuple[str, ...]]:
    """At least so many entities of every sort whose entities the specification does not name itself.

    Of numbers there are two more: the least ones are often special.
    """
    found = {}
    for name, words in entities.items():
        own = [word for word in words if ots.module.signature.constants_named(word)]
        found[name] = words
        if words and all(word.isdigit() for word in words):
            found[name] = tuple(dict.fromkeys((*words, *map(str, range(least + 2)))))[: max(len(words), least + 2)]
        elif len(own) < len(words) < least and is_open(ots.module, _sort_named(ots.module, name)):
            found[name] = _spelled(name, str(least), words)
    return found


def _spelled(
    sort: str, words: str, known: tuple[str, ...], own: tuple[str, ...] = (), others: Collection[str] = ()
) -> tuple[str, ...]:
    """The entities that words give; a number of them always includes those that the specification names itself.

    New ones begin with the first letter of the sort, or with all of them if entities of `others` do.
    """
    if words == ENOUGH:
        hint = f"give entities of {sort}, or a number of them"
        raise OtsrwError("E511", "how many entities are enough is known to search and igf alone", hint=hint)
    if not words.isdigit():
        return tuple(word.strip() for word in words.replace(" ", ",").split(",") if word.strip())
    count = int(words)
    if not 0 < count <= 100:
        raise OtsrwError("E511", f"{count} entities of sort {sort} are not possible", hint="give 1 to 100")
    known = (*(word for word in own if word not in known), *known)
    stem = sort[0].lower() if f"{sort[0].lower()}1" not in others else sort.lower()
    fresh = (name for number in range(1, 201) if (name := f"{stem}{number}") not in known)
    if len(known) < count:
        return (*known, *fresh)[:count]
    others = [word for word in known if word not in own][: max(count - len(own), 0)]
    return tuple(word for word in known if word in own or word in others)


def _sort_named(module: Module, name: str, span: Span = NOWHERE) -> Sort:
    sorts = module.visible_sorts().get(name)
    if not sorts:
        hint = did_you_mean(name, module.visible_sorts())
        raise OtsrwError("E502", f"there is no sort {name!r} in module {module.name}", span, hint)
    return sorts[-1]


def _populated(ots: Ots, entities: Mapping[str, tuple[str, ...]]) -> Module:
    """The module with constants for entities it does not have, and equations that tell entities apart."""
    base = ots.module
    imports = [Imported("pr", base)]
    module = Module(base.name, "mod", imports, span=base.span, decided_equality=True, state_sort=ots.sort)
    constants: list[tuple[str, Sort]] = []
    for name, words in entities.items():
        sort = _sort_named(base, name)
        if len(set(words)) < len(words):
            raise OtsrwError("E511", f"an entity of sort {name} is given twice", hint=" ".join(words))
        constants += [(word, sort) for word in words]
        for word in words:
            known = [s for s in base.signature.constants_named(word) if s.decls[0].coarity is sort]
            if not known and _NAME.match(word) and not any(c.isspace() for c in word):
                _check_open(base, sort, word)
                module.add_operator(OpDecl((word,), (), sort, PLAIN, module.name))
    module.variables = dict(base.variables)
    terms = [
        symbol.make(())
        for word, sort in constants
        for symbol in module.signature.constants_named(word)
        if symbol.decls[0].coarity is sort
    ]
    equals = module.signature.native(Builtin.EQUALS)
    false = module.signature.constants_named("false")[0].make(())
    kind = module.signature.order.kind
    for pair in combinations(terms, 2):
        if kind[pair[0].sort] is kind[pair[1].sort] and not _are_one(base, *pair):
            module.add_axioms((Axiom(equals.make(pair), false, None),))
    return module


def _are_one(module: Module, first: Term, second: Term) -> bool:
    """Do the equations of a module make two entities one? If only its `=` says so, the two are refused."""
    signature = module.signature
    own = [s.make(()) for t in (first, second) for s in signature.constants_named(t.op.name) if s.decls == t.op.decls]
    if len(own) < 2:
        return False
    rewriter = Rewriter(module)
    left, right = [rewriter.reduce(term, Budget(MAX_REWRITES)).term for term in own]
    if left is right:
        return True
    same = rewriter.reduce(signature.native(Builtin.EQUALS).make((left, right)), Budget(MAX_REWRITES)).term
    if same is signature.constants_named("true")[0].make(()):
        raise OtsrwError(
            "E511",
            f"{show(first)} and {show(second)} cannot be two entities: an equation says that they are equal",
            hint="give one of them",
        )
    return False


def _check_open(module: Module, sort: Sort, word: str) -> None:
    """A tight module has said what the elements of its sorts are: with another one it is another system."""
    home = next((m for m in module.closure() if sort in m.sorts), None)
    makers = [d for d in home.decls if d.coarity is sort and d.attributes.constructor] if home is not None else []
    if home is None or not home.is_tight or not makers:
        return
    known = ", ".join(d.text for d in makers)
    raise OtsrwError(
        "E511",
        f"{word} is no element of {sort.name}: {home.name} is tight (mod!) and builds it from {known}",
        makers[0].span,
        f"take some of these, or make {home.name} loose (mod*)",
    )
