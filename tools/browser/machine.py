"""Machine code for other machines out of what numba makes of a function, not optimized.

Numba writes code for this machine: addresses have 64 bits. Nothing is optimized for it here (see
`unoptimized`), so structures are still structures, and LLVM lays them out again: for WebAssembly
with addresses of 32 bits. Then all is optimized for the other machine. No instruction rounds
differently there, and LLVM neither fuses nor reorders operations on floats unless it is allowed to:
results have the same bits.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

# What processes that compile find in their environment: of this processor nothing special is used,
# so that every machine compiles the same.
PLAIN = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
TRIPLE = "wasm32-unknown-unknown"
# Browsers have all this since 2023. Without vectors, nets of learned policies take three times as
# long.
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
SPEED = 3  # of LLVM's levels

SUPPORT = Path(__file__).with_name("support.ll")


def unoptimized() -> None:
    """Let numba write its code down and leave it at that, in this process."""
    from numba.core.codegen import JITCodeLibrary

    from lama_odds.jit import deferred

    deferred._parts_are_left_alone()  # it replaces the same steps, once

    def nothing(self: Any, *_: Any) -> None:
        pass

    def finished(self: Any) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    JITCodeLibrary._optimize_functions = nothing
    JITCodeLibrary._optimize_final_module = nothing
    JITCodeLibrary._finalize_final_module = finished


class Machine:
    """Makes object files for a machine.

    triple, features: of LLVM's target. layout: of data; default: what the target says.
    """

    def __init__(self, triple: str, features: str, layout: str = "", **more: Any) -> None:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple(triple)
        self._machine = target.create_target_machine(opt=SPEED, features=features, **more)
        layout = layout or str(self._machine.target_data)
        self.head = f'target datalayout = "{layout}"\ntarget triple = "{triple}"\n'
        self._tuning = llvm.create_pipeline_tuning_options(speed_level=SPEED)
        self._tuning.loop_vectorization = self._tuning.slp_vectorization = True

    def alone(self, module: Any, symbol: str, name: str) -> Any:
        """Return a module for this machine of a function and all that it needs.

        module: what numba has linked, not optimized. symbol: the function in it. name: its name
        from now on; all others stay inside.
        """
        code = re.sub(r"target (datalayout|triple) = .*\n", "", str(module))
        code = re.sub(r"= common (local_unnamed_addr )?global", r"= internal \1global", code)
        whole = llvm.parse_assembly(self.head + code)
        for value in (*whole.functions, *whole.global_variables):
            if not value.is_declaration and value.name != symbol:
                value.linkage = "internal"
        whole.get_function(symbol).name = name
        return whole

    def made(self, module: Any) -> bytes:
        """Return the object file of a module, which is optimized first."""
        module.verify()
        builder = llvm.create_pass_builder(self._machine, self._tuning)
        builder.getModulePassManager().run(module, builder)
        return self.emitted(module)

    def emitted(self, module: Any) -> bytes:
        """Return the object file of an unchanged module."""
        return bytes(self._machine.emit_object(module))


class WebAssembly(Machine):
    """Makes objects for `wasm-ld`."""

    def __init__(self) -> None:
        super().__init__(TRIPLE, FEATURES, LAYOUT)

    def object_of(self, module: Any, symbol: str, name: str) -> bytes:
        """Return the object file of a function; see `alone`."""
        return self.made(_without_counting(self.alone(module, symbol, name)))

    def support(self) -> bytes:
        """Return the object file of SUPPORT.

        It is not optimized: LLVM would see what `__multi3` computes, and call it for that.
        """
        return self.emitted(llvm.parse_assembly(self.head + SUPPORT.read_text()))


def _without_counting(module: Any) -> Any:
    """Return a module whose functions that count references do nothing."""
    text = str(module)
    for name in ("NRT_incref", "NRT_decref"):
        text = re.sub(
            rf"define ([^\n]*@{name}\([^\n]*\{{)\n.*?\n\}}\n",
            r"define \1\n  ret void\n}\n",
            text,
            flags=re.DOTALL,
        )
    return llvm.parse_assembly(text)
