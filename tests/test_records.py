"""Named tuples of otsrw are like those of `typing`."""

from __future__ import annotations

import pickle
import typing

import pytest

from otsrw import records


class Ours(records.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    name: str | None = None

    @property
    def total(self) -> int:
        return self.x + self.y

    def __str__(self) -> str:
        return f"<{self.x}>"


class Theirs(typing.NamedTuple):
    x: int
    y: int = 2
    name: str | None = None


def test_it_is_a_tuple_with_names_and_defaults() -> None:
    record = Ours(1, name="a")
    assert tuple(record) == (1, 2, "a")
    assert repr(record) == repr(Theirs(1, name="a")).replace("Theirs", "Ours")
    assert record._replace(x=5).total == 7
    assert str(record) == "<1>"


@pytest.mark.parametrize("attribute", ["_fields", "_field_defaults", "__match_args__"])
def test_it_describes_itself_as_those_of_typing_do(attribute: str) -> None:
    assert getattr(Ours, attribute) == getattr(Theirs, attribute)


def test_its_class_is_found_again() -> None:
    assert (Ours.__module__, Ours.__qualname__, Ours.__doc__) == (__name__, "Ours", "A point.")
    assert pickle.loads(pickle.dumps(Ours(1))) == Ours(1)


def test_missing_and_unknown_fields_are_refused() -> None:
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours(1, z=3)  # type: ignore[call-arg]
