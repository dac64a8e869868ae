"""A second implementation of the tokens that windows of texts consist of."""

import re
import unicodedata


def fold(text):
    """The letters and digits of a text without marks, in lower case."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed.lower() if c.isalnum())


def tokens(text, unit):
    """The words or characters that windows count, and where each begins."""
    if unit.endswith("words"):
        found = [(match.start(), match.group()) for match in re.finditer(r"\S+", text)]
    else:
        found = list(enumerate(text))
    if unit.startswith("normalized"):
        found = [(start, fold(token)) for start, token in found]
    return [(start, token) for start, token in found if token]
