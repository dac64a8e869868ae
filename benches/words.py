"""Generates languages: artificial words with the frequencies and similarities of real ones."""

# Phrases of a text begin at one of this many positions of its language, and have at most this many
# words.
TOPIC = 1_500
LONGEST_PHRASE = 3_000

LATIN = "eeeeeetttaaaooiiinnssrrhhlldducmfwypvbgk"
ACCENTED = LATIN + "éèàüöäß"
HIRAGANA = "".join(map(chr, range(0x3042, 0x3094)))
KATAKANA = "".join(map(chr, range(0x30A2, 0x30F4)))
# The common characters of JIS X 0208, which all Japanese charsets contain.
KANJI = bytes(
    byte for row in range(0xB0, 0xC8) for cell in range(0xA1, 0xFF) for byte in (row, cell)
).decode("euc_jp")
PARTICLES = "の は を に が と で も から まで した です ます する".split()


def often_the_first(rng, choices):
    """Returns one of some choices, the first ones more often, as in natural language."""
    return choices[int(len(choices) * rng.random() ** 3)]


def english_word(rng):
    return "".join(rng.choices(LATIN, k=rng.choice((1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10))))


def german_word(rng):
    return "".join(rng.choices(ACCENTED, k=rng.choice((2, 3, 3, 4, 5, 6, 8, 10, 13))))


def japanese_word(rng):
    kind = rng.random()
    if kind < 0.12:
        return "".join(rng.choices(KATAKANA, k=rng.randint(2, 6)))
    if kind < 0.2:
        return "".join(rng.choices(HIRAGANA, k=rng.randint(2, 5)))
    return "".join(rng.choices(KANJI, k=rng.choice((1, 1, 2, 2, 3)))) + rng.choice(PARTICLES)


class Language:
    def __init__(self, code, rng, word, space=" ", comma=", ", stop="."):
        self.code, self.space, self.comma, self.stop = code, space, comma, stop
        words = [word(rng) for _ in range(12_000)]
        weights = [1 / (rank + 3) for rank in range(len(words))]
        self.pool = rng.choices(words, weights, k=150_000)


def languages(rng):
    """Returns a language like Japanese, one like English, and one with letters outside ASCII."""
    return (
        Language("ja", rng, japanese_word, space="", comma="、", stop="。"),
        Language("en", rng, english_word),
        Language("de", rng, german_word),
    )


class Topic:
    """The language of one text, which repeats the same phrases."""

    def __init__(self, language, rng):
        self.language, self.rng = language, rng
        self.start = rng.randrange(len(language.pool) - TOPIC - LONGEST_PHRASE)

    def phrase(self, least, most):
        start = self.start + int(TOPIC * self.rng.random() ** 2)
        words = self.language.pool[start : start + self.rng.randint(least, most)]
        return self.language.space.join(words)

    def title(self):
        return self.phrase(2, 8).capitalize()

    def sentence(self):
        parts = [self.phrase(3, 12) for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]
        return self.language.comma.join(parts).capitalize() + self.language.stop
