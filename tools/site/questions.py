"""The reference of Python functions shows the arguments of questions as `help` does.

Their types and meanings come from `lama_odds.api.options.question`, which is called when they
are loaded. The site's generator only reads their source text.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import griffe


class Questions(griffe.Extension):
    """Take the docstrings and the arguments from the loaded functions."""

    def on_function(self, *, func: griffe.Function, **more: Any) -> None:
        """Complete a function that is declared as a question."""
        del more
        if not any(str(part.value).startswith("question(") for part in func.decorators):
            return
        loaded = getattr(importlib.import_module(func.module.path), func.name)
        assert func.docstring is not None
        text = inspect.getdoc(loaded) or ""
        parameters = []
        for name, part in inspect.signature(loaded).parameters.items():
            type_ = inspect.formatannotation(part.annotation)
            default = None if part.default is inspect.Parameter.empty else repr(part.default)
            parameters.append(
                griffe.Parameter(
                    name,
                    annotation=re.sub(r"\b[a-z_.]+\.(?=[A-Z])", "", type_),
                    kind=griffe.ParameterKind[part.kind.name.lower()],
                    default=default,
                )
            )
            text = text.replace(f"\n{name}: ", f"\n- `{name}`: ", 1)
        func.parameters = griffe.Parameters(*parameters)
        func.docstring.value = text
