"""`exp` and `log` for compiled functions, with the bits that `core.elementary` gives in Python."""

from lama_odds.core import elementary
from lama_odds.jit import inlined

exp = inlined(elementary.exp)
log = inlined(elementary.log)
