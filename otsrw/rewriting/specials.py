"""Evaluators of the built-in operators that do not simply evaluate all their arguments first."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.rewriting.functions import Functions
from otsrw.rewriting.runtime import Evaluator
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.terms import Symbol, Term

_SAME = Builtin.SAME
_AND_ALSO = Builtin.AND_ALSO
_SHORT_CIRCUITED = (Builtin.AND, Builtin.OR, Builtin.IMPLIES)
_IN_THE_RING = (Builtin.AND, Builtin.OR, Builtin.XOR)


class Specials:
    """The conditional, the syntactic equalities, matching, search, and the connectives that stop early."""

    def __init__(self, functions: Functions) -> None:
        self.functions = functions
        self.runtime = functions.runtime
        self.normalise = functions.runtime.normalise
        self.true = functions.rulebase.true
        self.false = functions.rulebase.false
        self.search: Callable[[Term], Term] | None = None
        """How search predicates are evaluated; None if they stay as they are."""
        self._evaluators: dict[Builtin, Evaluator] = {
            Builtin.IF: self.conditional,
            Builtin.MATCH: self._match,
            Builtin.CONJUNCTION: self._conjunction,
            Builtin.AND_ALSO: self._sequential,
            Builtin.OR_ELSE: self._sequential,
            Builtin.SEARCH: self._search,
            **dict.fromkeys(SYNTACTIC_TESTS, self._equality),
        }

    def evaluator(self, symbol: Symbol) -> Evaluator | None:
        """The evaluator of a built-in operator; None if it is evaluated like others."""
        native = symbol.native
        has_rules = self.functions.rulebase.has_rules(symbol)
        if native is None or (has_rules and native not in _IN_THE_RING):
            return None
        if native in _SHORT_CIRCUITED and not has_rules:
            return None if self._goes_by_sorts else self._short_circuit(symbol)
        return self._evaluators.get(native)

    @property
    def _goes_by_sorts(self) -> bool:
        booleans = self.functions.booleans
        return booleans is not None and booleans.by_sorts

    def _truth(self, value: bool) -> Term:
        result = self.true if value else self.false
        assert result is not None
        return result

    def _short_circuit(self, symbol: Symbol) -> Evaluator:
        """`and`, `or`, `implies`: stop at an argument that decides."""
        name = self.functions.name(symbol)
        normalise, namespace, place = self.normalise, self.runtime.namespace, self.runtime.place
        deciding = self._truth(symbol.native is Builtin.OR)
        result = self._truth(symbol.native is not Builtin.AND)

        def evaluate(term: Term) -> Term:
            args: list[Term] = []
            for index, arg in enumerate(term.args):
                place.append(index)
                value = normalise(arg)
                place.pop()
                if value is deciding and (symbol.assoc or index == 0):
                    return result
                args.append(value)
            answer: Term = namespace[name](tuple(args)) if symbol.assoc else namespace[name](args[0], args[1])
            return answer

        return evaluate

    def conditional(self, term: Term) -> Term:
        """`if_then_else_fi`: only the branch that is taken is evaluated."""
        # test_engine.py: "3 only the condition of an if is evaluated"
        condition = self.normalise(term.args[0])
        if condition is self.true:
            return self.normalise(term.args[1])
        if condition is self.false:
            return self.normalise(term.args[2])
        result = term.op.make((condition, term.args[1], term.args[2]))
        result.epoch = self.runtime.namespace["E"]
        return result

    def _equality(self, term: Term) -> Term:
        first, second = (self.runtime.argument(term.op, arg) for arg in term.args)
        return self.compared(term.op, first, second)

    def compared(self, symbol: Symbol, first: Term, second: Term) -> Term:
        """What `==` or `=/=` says of two normal forms; nothing, if values are compared and one of the two has none."""
        values = self.functions.rulebase.values
        if values is not None and first is not second and first.ground and second.ground:
            if not (values.has(first) and values.has(second)):
                return self.runtime.settled(symbol.make((first, second)))
        result = self.true if (first is second) is (symbol.native is _SAME) else self.false
        assert result is not None
        return result

    def _match(self, term: Term) -> Term:
        found = next(self.runtime.matcher.match(term.args[0], self.normalise(term.args[1]), {}), None)
        return self._truth(found is not None)

    def _conjunction(self, term: Term) -> Term:
        first = self.normalise(term.args[0])
        if first is self.false:
            return first
        second = self.normalise(term.args[1])
        if second is self.false or first is self.true:
            return second
        if second is self.true:
            return first
        return self.runtime.settled(term.op.make((first, second)))

    def _sequential(self, term: Term) -> Term:
        """`and-also`, `or-else`: the second argument is evaluated only if the first does not decide."""
        is_and = term.op.native is _AND_ALSO
        absorbing, neutral = (self.false, self.true) if is_and else (self.true, self.false)
        first = self.normalise(term.args[0])
        if first is absorbing:
            return first
        second = self.normalise(term.args[1])
        if second is absorbing or first is neutral:
            return second
        if second is neutral or (first is second and is_and):
            return first
        return self.runtime.settled(term.op.make((first, second)))

    def _search(self, term: Term) -> Term:
        return self.runtime.settled(term) if self.search is None else self.search(term)
