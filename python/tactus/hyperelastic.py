"""Hyperelastic laws and their materials."""

import ctypes
import math
from typing import Mapping, NamedTuple, Sequence

from . import abi
from .library import check, documented, library, text


class Law(NamedTuple):
    """Description of a law; docs/hyperelastic_laws.md has its equations."""
    name: str
    about: str
    parameters: "dict[str, str]"  #: their names and units, in their order
    otherwise: "dict[str, float]"  #: what those are that may be left out
    fibres: bool  #: it has directions


@documented("tac_material_law")
def laws() -> "dict[str, Law]":
    """All laws, by name."""
    result = {}
    law = abi.MaterialLaw()
    while library.tac_material_law(len(result), ctypes.byref(law)):
        names = [text(ctypes.string_at(int(address))) for address in law.parameter[:law.parameter_count]]
        units = [text(ctypes.string_at(int(address))) for address in law.unit[:law.parameter_count]]
        otherwise = {name: float(value) for name, value in zip(names, law.otherwise) if not math.isnan(value)}
        result[law.name] = Law(law.name, law.about, dict(zip(names, units)), otherwise, law.fibres)
    return result


@documented("tac_law_material_check")
def hyperelastic_material(law: str, parameters: Mapping[str, float], density: float,
                          viscosity: "Sequence[tuple[float, float]]" = ()) -> abi.LawMaterial:
    """A material with a law, SI units. `viscosity` is a list of pairs: share of the stress, and its relaxation time, s."""
    known = laws()
    if law not in known:
        raise ValueError(f"unknown law {law}; the laws are {', '.join(known)}")
    names = known[law].parameters
    values = {**known[law].otherwise, **parameters}
    if set(values) != set(names):
        raise ValueError(f"{law} has the parameters {', '.join(names)}, not {', '.join(values)}")
    if len(viscosity) > abi.LAW_MOST_TERMS:
        raise ValueError(f"viscosity has at most {abi.LAW_MOST_TERMS} terms")
    made = abi.LawMaterial(law=law, density=density, term_count=len(viscosity))
    made.parameters[:len(names)] = [values[name] for name in names]
    for term, (share, time) in enumerate(viscosity):
        made.share[term], made.time[term] = share, time
    check(library.tac_law_material_check, ctypes.byref(made))
    return made
