"""Data classes that cost next to nothing to declare.

`dataclasses` writes and compiles up to six functions for every class, whether anybody calls them or not: 53 ms for the 99 classes that
mining loads, a ninth of a start. Here a class gets its fields from `dataclasses`, shares what looks at them (`repr`, `==`, `hash`, and the
refusal to be changed) with all others, and has its `__init__` written when the first object is made. For classes of our own; those
that a user sees, and those with slots, stay with `dataclasses`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from reprlib import recursive_repr

    _set = object.__setattr__

    def dataclass(cls=None, /, *, frozen=False, eq=True):
        """`dataclasses.dataclass` with these two options.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> Point(1), Point(1) == Point(1, 0), hash(Point(1)) == hash(Point(1))
        (Point(x=1, y=0), True, True)
        """
        if cls is None:
            return lambda own: dataclass(own, frozen=frozen, eq=eq)
        made = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
        own = {"__init__": _late_init(made, frozen), "__repr__": _repr}
        if eq:
            own |= {"__eq__": _equal, "__hash__": _hash if frozen else None}
        if frozen:
            own |= {"__setattr__": _refuse, "__delattr__": _refuse}
        for name, method in own.items():
            if name not in vars(cls):
                setattr(made, name, method)
        return made

    def _late_init(cls, frozen):
        def first(self, *args, **named):
            init = _init(cls, frozen)
            if cls.__init__ is first:
                cls.__init__ = init
            init(self, *args, **named)

        return first

    def _init(cls, frozen):
        """What sets the fields, as one function without a loop."""
        known, given, body = {"_set": _set, "_missing": dataclasses.MISSING}, ["self"], []
        for number, field in enumerate(dataclasses.fields(cls)):
            name, value, has_default = field.name, field.name, field.default is not dataclasses.MISSING
            if field.default_factory is not dataclasses.MISSING:
                known[f"_make{number}"] = field.default_factory
                value = f"_make{number}() if {name} is _missing else {name}" if field.init else f"_make{number}()"
                has_default = True
            elif not field.init:
                continue  # the default, if there is one, is what the class has
            else:
                known[f"_default{number}"] = field.default
            if field.init:
                other = "_missing" if field.default_factory is not dataclasses.MISSING else f"_default{number}"
                given.append(f"{name}={other}" if has_default else name)
            body.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
        if hasattr(cls, "__post_init__"):
            body.append(" self.__post_init__()")
        exec(f"def __init__({', '.join(given)}):\n" + ("\n".join(body) or " pass"), known)  # names of fields alone
        init = known["__init__"]
        init.__qualname__ = f"{cls.__qualname__}.__init__"
        return init

    @recursive_repr()
    def _repr(self):
        fields = (f for f in dataclasses.fields(self) if f.repr)
        return f"{type(self).__qualname__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in fields)})"

    def _compared(self):
        return tuple(getattr(self, f.name) for f in dataclasses.fields(self) if f.compare)

    def _equal(self, other):
        return _compared(self) == _compared(other) if type(other) is type(self) else NotImplemented

    def _hash(self):
        return hash(_compared(self))

    def _refuse(self, name, *value):
        raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


__all__ = ["dataclass"]
