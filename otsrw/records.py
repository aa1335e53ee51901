"""Named tuples and data classes that are made in a fraction of the time that those of Python's library take.

Starting a command makes hundreds of them. The library compiles every annotation of a named tuple, and five or six
methods of every data class; that was a third of the time in which `otsrw prove` starts. Here a constructor is one of
those below with other names, and only those with many fields are compiled, when the first one is made. Type checkers
see the classes and functions of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple", "dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    from operator import attrgetter, itemgetter
    from types import FunctionType

    try:
        from _collections import _tuplegetter as _getter
    except ImportError:

        def _getter(index: int, doc: str) -> property:
            return property(itemgetter(index), doc=doc)

    # --- constructors

    _new, _set = tuple.__new__, object.__setattr__

    _MAKERS = (
        lambda cls: _new(cls, ()),
        lambda cls, a: _new(cls, (a,)),
        lambda cls, a, b: _new(cls, (a, b)),
        lambda cls, a, b, c: _new(cls, (a, b, c)),
        lambda cls, a, b, c, d: _new(cls, (a, b, c, d)),
        lambda cls, a, b, c, d, e: _new(cls, (a, b, c, d, e)),
        lambda cls, a, b, c, d, e, f: _new(cls, (a, b, c, d, e, f)),
        lambda cls, a, b, c, d, e, f, g: _new(cls, (a, b, c, d, e, f, g)),
        lambda cls, a, b, c, d, e, f, g, h: _new(cls, (a, b, c, d, e, f, g, h)),
    )
    """`__new__` of named tuples with none, one, two ... fields."""

    _SETTERS = (
        lambda _: None,
        lambda self, a: _set(self, "a", a),
        lambda self, a, b: _set(self, "a", a) or _set(self, "b", b),
        lambda self, a, b, c: _set(self, "a", a) or _set(self, "b", b) or _set(self, "c", c),
        lambda self, a, b, c, d: _set(self, "a", a) or _set(self, "b", b) or _set(self, "c", c) or _set(self, "d", d),
        lambda self, a, b, c, d, e: (
            _set(self, "a", a) or _set(self, "b", b) or _set(self, "c", c) or _set(self, "d", d) or _set(self, "e", e)
        ),
        lambda self, a, b, c, d, e, f: (
            _set(self, "a", a)
            or _set(self, "b", b)
            or _set(self, "c", c)
            or _set(self, "d", d)
            or _set(self, "e", e)
            or _set(self, "f", f)
        ),
        lambda self, a, b, c, d, e, f, g: (
            _set(self, "a", a)
            or _set(self, "b", b)
            or _set(self, "c", c)
            or _set(self, "d", d)
            or _set(self, "e", e)
            or _set(self, "f", f)
            or _set(self, "g", g)
        ),
        lambda self, a, b, c, d, e, f, g, h: (
            _set(self, "a", a)
            or _set(self, "b", b)
            or _set(self, "c", c)
            or _set(self, "d", d)
            or _set(self, "e", e)
            or _set(self, "f", f)
            or _set(self, "g", g)
            or _set(self, "h", h)
        ),
    )
    """`__init__` of frozen data classes with none, one, two ... fields."""

    def _named(template: FunctionType, name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> FunctionType:
        """The constructor with as many fields, with the full name of its own, and their names and defaults."""
        code = template.__code__
        renamed = dict(zip(code.co_varnames[1:], fields, strict=True))
        constants = tuple([renamed.get(constant, constant) for constant in code.co_consts])
        names = (code.co_varnames[0], *fields)
        code = code.replace(co_varnames=names, co_consts=constants, co_name=name.rpartition(".")[2], co_qualname=name)
        return FunctionType(code, globals(), None, defaults)

    def _compiled_when_called(cls: type, name: str, text: str, known: dict[str, Any]) -> Any:
        """A constructor that compiles the one of the class, and is replaced by it."""

        def first(self: Any, *args: Any, **kwargs: Any) -> Any:
            exec(text, known)
            constructor = known[name]
            constructor.__qualname__ = f"{cls.__qualname__}.{name}"
            constructor.__module__ = cls.__module__
            setattr(cls, name, constructor)
            return constructor(self, *args, **kwargs)

        return first

    # --- named tuples

    class _Record(tuple):
        """What all named tuples have, as those of Python's library."""

        __slots__ = ()
        _fields: tuple[str, ...] = ()

        @classmethod
        def _make(cls, values: Any) -> Any:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: Any) -> Any:
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{self.__class__.__name__}({shown})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _RecordMaker(type):
        """Makes a named tuple of the class statement of a subclass of `NamedTuple`."""

        def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            made = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            getters = {field: _getter(index, f"Alias for field number {index}") for index, field in enumerate(fields)}
            if len(fields) < len(_MAKERS):
                made["__new__"] = _named(_MAKERS[len(fields)], f"{name}.__new__", fields, tuple(defaults.values()))
            record = type(name, (_Record,), {**made, **body, **getters})
            if len(fields) >= len(_MAKERS):
                known = {"_new": _new, **{f"_default_{field}": default for field, default in defaults.items()}}
                text = _maker_text(fields, defaults)
                record.__new__ = _compiled_when_called(record, "__new__", text, known)
            return record

    def _maker_text(fields: tuple[str, ...], defaults: dict[str, Any]) -> str:
        parameters = ", ".join([f"{field}=_default_{field}" if field in defaults else field for field in fields])
        return f"def __new__(cls, {parameters}): return _new(cls, ({', '.join(fields)},))"

    NamedTuple = type.__new__(_RecordMaker, "NamedTuple", (), {})

    # --- data classes

    _NOTHING = object()

    class _Factory:
        """Says that a field begins with a new value for every object."""

        __slots__ = ("make",)

        def __init__(self, make: Any) -> None:
            self.make = make

    def field(*, default_factory: Any) -> Any:
        """A field whose default is made anew for every object."""
        return _Factory(default_factory)

    class _Fields:
        """The fields of a data class, with their annotations and defaults; for Python's library when it asks."""

        def __init__(self, annotations: dict[str, str], defaults: dict[str, Any]) -> None:
            self.annotations = annotations
            self.defaults = defaults
            self.described: dict[str, Any] = {}

        def __get__(self, _instance: object, _owner: type) -> dict[str, Any]:
            if not self.described:
                self.described = self._describe()
            return self.described

        def _describe(self) -> dict[str, Any]:
            import dataclasses

            described: dict[str, Any] = {}
            for name, annotation in self.annotations.items():
                default = self.defaults.get(name, dataclasses.MISSING)
                given = {"default_factory": default.make} if isinstance(default, _Factory) else {"default": default}
                each = described[name] = dataclasses.field(**given)
                each.name, each.type, each._field_type = name, annotation, dataclasses._FIELD  # noqa: SLF001
            return described

    def dataclass(*, eq: bool = True, frozen: bool = False, repr: bool = True, slots: bool = False) -> Any:
        """As the decorator of Python's library, for annotations that are not evaluated and these options."""

        def made(cls: type) -> type:
            fields = _fields_of(cls)
            methods: dict[str, Any] = {"__match_args__": tuple(fields.annotations)}
            if repr:
                methods["__repr__"] = _repr
            if eq:
                methods |= _comparing(methods["__match_args__"], frozen)
            for name in [name for name in methods if name in cls.__dict__]:
                del methods[name]
            methods["__dataclass_fields__"] = fields
            if frozen:
                methods["__setattr__"] = methods["__delattr__"] = _refuse
            constructor = _constructor(cls, fields) if frozen else None
            if constructor is not None and "__init__" not in cls.__dict__:
                methods["__init__"] = constructor
            if slots:
                cls = _with_slots(cls, fields, methods)
            else:
                for name, method in methods.items():
                    setattr(cls, name, method)
            if "__init__" not in cls.__dict__:
                cls.__init__ = _compiled_constructor(cls, fields, frozen)
            return cls

        return made

    def _fields_of(cls: type) -> _Fields:
        annotations: dict[str, str] = {}
        defaults: dict[str, Any] = {}
        for base in cls.__mro__[-1:0:-1]:
            inherited = base.__dict__.get("__dataclass_fields__")
            if inherited is not None:
                annotations |= inherited.annotations
                defaults |= inherited.defaults
        for name, annotation in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 (inspect is slow to import)
            if not annotation.partition("[")[0].endswith("ClassVar"):
                annotations[name] = annotation
                if name in cls.__dict__:
                    defaults[name] = cls.__dict__[name]
        return _Fields(annotations, defaults)

    def _comparing(names: tuple[str, ...], frozen: bool) -> dict[str, Any]:
        values = attrgetter(*names) if names else type

        def __eq__(self: Any, other: object) -> Any:
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self: Any) -> int:
            return hash(values(self))

        return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}

    def _repr(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({shown})"

    def _refuse(self: object, name: str, _value: object = None) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")

    def _state(self: Any) -> list[Any]:
        return [getattr(self, name) for name in self.__match_args__]

    def _set_state(self: Any, state: list[Any]) -> None:
        for name, value in zip(self.__match_args__, state, strict=True):
            object.__setattr__(self, name, value)

    def _with_slots(cls: type, fields: _Fields, methods: dict[str, Any]) -> type:
        """The class anew, with these methods: slots cannot be added to one that exists."""
        inherited = {slot for base in cls.__mro__[1:] for slot in base.__dict__.get("__slots__", ())}
        body = {name: value for name, value in cls.__dict__.items() if name not in fields.annotations}
        for name in ("__dict__", "__weakref__"):
            body.pop(name, None)
        body |= methods
        body["__slots__"] = tuple(name for name in fields.annotations if name not in inherited)
        body["__getstate__"], body["__setstate__"] = _state, _set_state
        anew = type(cls)(cls.__name__, cls.__bases__, body)
        anew.__qualname__ = cls.__qualname__
        return anew

    def _constructor(cls: type, fields: _Fields) -> FunctionType | None:
        """That of a frozen data class; None if it must be compiled."""
        names, defaults = tuple(fields.annotations), fields.defaults
        if len(names) >= len(_SETTERS) or any(isinstance(default, _Factory) for default in defaults.values()):
            return None
        given = tuple([defaults[name] for name in names if name in defaults])
        return _named(_SETTERS[len(names)], f"{cls.__qualname__}.__init__", names, given)

    def _compiled_constructor(cls: type, fields: _Fields, frozen: bool) -> Any:
        known: dict[str, Any] = {"_set": _set, "_nothing": _NOTHING}
        parameters, body = ["self"], []
        for name in fields.annotations:
            value = name
            default = fields.defaults.get(name, _NOTHING)
            if isinstance(default, _Factory):
                known[f"_make_{name}"] = default.make
                parameters.append(f"{name}=_nothing")
                value = f"_make_{name}() if {name} is _nothing else {name}"
            elif default is not _NOTHING:
                known[f"_default_{name}"] = default
                parameters.append(f"{name}=_default_{name}")
            else:
                parameters.append(name)
            body.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
        text = "\n".join([f"def __init__({', '.join(parameters)}):", *(body or [" pass"])])
        return _compiled_when_called(cls, "__init__", text, known)

    def replace(record: Any, /, **changes: Any) -> Any:
        """A data class like this one, with other values for some fields."""
        for name in record.__match_args__:
            if name not in changes:
                changes[name] = getattr(record, name)
        return type(record)(**changes)
