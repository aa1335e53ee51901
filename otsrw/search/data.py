"""The data of an instance as Maude text: sorts, operators, equations, equalities that users define."""

from __future__ import annotations

from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance
from otsrw.search.names import is_built_in
from otsrw.search.writing import Writer
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.sorts import Kind, Sort
from otsrw.theory.terms import Symbol, Term, variable


class DataWriter:
    """Declarations and equations for the operators in use."""

    def __init__(self, writer: Writer, used: list[Symbol]) -> None:
        self.writer = writer
        self.theory = writer.theory
        self.instance = writer.instance
        self.ots = writer.ots
        self.order = writer.order
        self.used = used
        self.own = [symbol for symbol in used if symbol.native is None and not writer.is_truth(symbol)]

    def declarations(self) -> list[str]:
        return [line for symbol in self.own for line in self._declarations(symbol)]

    def equations(self) -> list[str]:
        found = [self._equation(axiom) for symbol in self.own for axiom in self.instance.rules.get(symbol, ())]
        return found + [text for symbol in self.own for text in self._idempotence(symbol)]

    def equalities(self) -> list[str]:
        """The equations of the equalities that were mentioned so far."""
        return [text for kind in list(self.writer.equalities) for text in self._equality(kind)]

    def sorts(self) -> list[str]:
        sorts: dict[Sort, None] = {}
        seen = [s for symbol in self.used for d in symbol.decls for s in (*d.arity, d.coarity)]
        seen += [s for o in self.ots.observers for s in (*o.indexes, o.value)]
        for sort in seen:
            kind = self.order.kind.get(sort)
            if kind is not None:
                sorts.update(dict.fromkeys(kind.sorts))
        own = [s for s in sorts if not is_built_in(s) and s is not self.ots.sort and s.name != "*Condition*"]
        lines = [f"  sorts {' '.join(self.writer.names.sort(s) for s in own)} ."] if own else []
        for lower in sorts:
            uppers = [u for u in own if u is not lower and u in self.order.above[lower]]
            for upper in uppers:
                between = any(m is not lower and m is not upper and upper in self.order.above[m] for m in uppers)
                if not between and lower.name != "*Condition*":
                    lines.append(f"  subsort {self.writer.names.sort(lower)} < {self.writer.names.sort(upper)} .")
        return lines

    def _declarations(self, symbol: Symbol) -> list[str]:
        words = self.writer.names.operator(symbol)
        name = "".join(f" {w} " if w in "{}[]," else w for w in words).strip() if len(words) > 1 else words[0]
        attributes = self._attributes(symbol)
        if symbol.lower is not None or symbol.upper is not None or symbol.lower_identities:
            raise OtsrwError(
                "E516",
                f"the operator {symbol.name} is not translated to Maude: its axioms"
                f"{self._attributes(symbol.lower or symbol)} hold for some of its ranks only",
                (symbol.upper or symbol).decls[0].span,
                "declare them here, too, or give this operator another name",
            )
        lines = []
        for decl in symbol.decls:
            arity = " ".join(map(self.writer.sort, decl.arity))
            if symbol in self.writer.names.padded:
                arity = f"{arity} {self.writer.names.pad_sort}"
            coarity = self.writer.sort(decl.coarity)
            if not decl.partial and not self.writer.partiality.is_partial(symbol):
                rank = f"{arity} -> {coarity}" if arity else f"-> {coarity}"
            else:
                rank = f"{arity} ~> {coarity}" if arity else f"-> [{coarity.strip('[]')}]"
            lines.append(f"  op {name} : {rank}{attributes} .")
        return lines

    def _attributes(self, symbol: Symbol) -> str:
        found = ["ctor"] if self.theory.is_constructor(symbol) or self.theory.is_set(symbol) else []
        found += [word for word, has in (("assoc", symbol.assoc), ("comm", symbol.comm)) if has]
        if symbol.idem and not symbol.assoc:
            found.append("idem")
        if symbol.identity is not None:
            found.append(f"id: {self.writer.term(symbol.identity)}")
        return f" [{' '.join(found)}]" if found else ""

    def _idempotence(self, symbol: Symbol) -> list[str]:
        """Maude has no associative and idempotent operators: an equation on elements says it."""
        if not (symbol.idem and symbol.assoc):
            return []
        sorts = [symbol.decls[0].coarity] if symbol.identity is None else self._element_sorts(symbol, symbol.identity)
        same = [variable("Same", sort) for sort in sorts]
        return [f"  eq {self.writer.application(symbol, (each, each))} = {self.writer.term(each)} ." for each in same]

    def _element_sorts(self, symbol: Symbol, identity: Term) -> list[Sort]:
        """The greatest sorts of elements: an equation on the identity, too, would rewrite it for ever."""
        whole = symbol.decls[0].coarity
        below = [s for s in self.order.kind[whole].sorts if s is not whole and self.order.leq(s, whole)]
        below = [s for s in below if not self.order.leq(identity.sort, s)]
        for maker in self.used:
            inside = maker is not symbol and maker is not identity.op and self.theory.is_constructor(maker)
            for decl in maker.decls if inside and not maker.polymorphic else ():
                if self.order.leq(decl.coarity, whole) and not any(self.order.leq(decl.coarity, s) for s in below):
                    raise OtsrwError(
                        "E516",
                        f"the idempotent operator {symbol.name} is not translated to Maude: {maker.name} is an element"
                        f" of the same sort {whole.name} as its identity",
                        decl.span,
                        "give elements a sort of their own, below that of collections",
                    )
        return [s for s in below if not any(s is not other and self.order.leq(s, other) for other in below)]

    def _equation(self, axiom: Axiom) -> str:
        lhs, rhs = self.writer.term(axiom.lhs), self.writer.term(unfold(axiom.rhs, self.ots))
        owise = " [owise]" if axiom.otherwise else ""
        if axiom.condition is None:
            return f"  eq {lhs} = {rhs}{owise} ."
        return f"  ceq {lhs} = {rhs} if {self.writer.condition_text(unfold(axiom.condition, self.ots))}{owise} ."

    def equality_declarations(self) -> list[str]:
        return [
            f"  op equals : {self.writer.kind(kind)} {self.writer.kind(kind)} -> [Bool] [comm] ."
            for kind in self.writer.equalities
        ]

    def _equality(self, kind: Kind) -> list[str]:
        lines = []
        for axiom in own_equations(self.instance, kind.sorts[0]):
            left, right = map(self.writer.term, axiom.lhs.args)
            keyword, condition = (
                ("eq", "") if axiom.condition is None else ("ceq", self.writer.condition_text(axiom.condition))
            )
            suffix = (f" if {condition}" if condition else "") + (" [owise]" if axiom.otherwise else "")
            lines.append(f"  {keyword} equals({left}, {right}) = {self.writer.term(axiom.rhs)}{suffix} .")
        top = kind.top or kind.sorts[0]
        one, other = (self.writer.term(variable(name, top)) for name in ("Left", "Right"))
        lines.insert(0, f"  eq equals({one}, {one}) = true .")
        lines.append(f"  eq equals({one}, {other}) = {one} == {other} [owise] .")
        return lines


def own_equations(instance: Instance, sort: Sort) -> list[Axiom]:
    """The equations on `=` between terms of a sort's kind."""
    kind = instance.module.signature.order.kind
    equals = instance.connectives.symbol(Builtin.EQUALS)
    return [a for a in instance.rules.get(equals, ()) if kind.get(a.lhs.args[0].sort) is kind[sort]]
