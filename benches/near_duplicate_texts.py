"""Generates texts with near duplicates of known kinds, and computes exactly which of them are similar.

Two texts are similar if their sets of shingles have at least a given Jaccard similarity. This is
computed from the sets themselves, so it is correct however the texts were made.
"""

import random
import unicodedata
from collections import Counter, defaultdict
from itertools import combinations
from typing import NamedTuple

from words import Topic, languages

# Full-width forms of ASCII, and half-width forms of katakana and Japanese punctuation.
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
NARROW = {ord(unicodedata.normalize("NFKC", chr(code))): code for code in range(0xFF61, 0xFF9E)}
NARROW |= {0x3099: 0xFF9E, 0x309A: 0xFF9F}


class Text(NamedTuple):
    """A text, its kind, and the number of its family of related texts."""

    kind: str
    family: int
    text: str


class Mixture:
    """Sentences of several topics, in turn."""

    def __init__(self, *topics):
        self.topics = topics
        self.count = 0

    def sentence(self):
        self.count += 1
        return self.topics[self.count % len(self.topics)].sentence()


class Writer:
    """Writes families of texts in one language, or in a mixture of two."""

    def __init__(self, rng, languages, sizes):
        self.rng, self.languages, self.sizes = rng, languages, sizes
        self.space = min((language.space for language in languages), key=len)

    def sentences(self, count=None):
        topic = Mixture(*(Topic(language, self.rng) for language in self.languages))
        least, most = self.sizes
        count = count or round(least * (most / least) ** self.rng.random())
        return [topic.sentence() for _ in range(count)]

    def join(self, sentences):
        return self.space.join(sentences)

    def copies(self):
        return [self.join(self.sentences())] * 3

    def case_only(self):
        text = self.join(self.sentences())
        return [text, text.upper(), text.lower()]

    def width_only(self):
        text = self.join(self.sentences())
        return [text, narrow(text), text.translate(WIDE)]

    def edited(self):
        """Replaces, inserts and deletes single characters."""
        text = self.join(self.sentences())
        return [text, *(self.edit(text, self.rng.uniform(0.001, 0.06)) for _ in range(3))]

    def crowds(self):
        """Edits one text in many ways. The results are less similar to each other than to that text."""
        text = self.join(self.sentences())
        return [text, *(self.edit(text, self.rng.uniform(0.005, 0.03)) for _ in range(30))]

    def edit(self, text, share):
        characters = list(text)
        for _ in range(max(1, round(share * len(characters)))):
            place = self.rng.randrange(len(characters))
            other = self.rng.choice(text)
            characters[place] = self.rng.choice(["", other, characters[place] + other])
        return "".join(characters)

    def reworded(self):
        """Replaces whole sentences."""
        sentences = self.sentences()
        texts = [self.join(sentences)]
        for _ in range(3):
            changed, share = list(sentences), self.rng.uniform(0, 0.35)
            for place in self.rng.sample(range(len(changed)), max(1, round(share * len(changed)))):
                changed[place] = self.sentences(1)[0]
            texts.append(self.join(changed))
        return texts

    def moved(self):
        """Reorders sentences."""
        sentences = self.sentences()
        return [self.join(self.rng.sample(sentences, len(sentences))) for _ in range(3)]

    def templates(self):
        """A frame that all share, around contents that differ."""
        head, tail = self.sentences(), self.sentences()
        contents = max(1, round((len(head) + len(tail)) * self.rng.uniform(0.02, 1.5)))
        return [self.join(head + self.sentences(contents) + tail) for _ in range(5)]

    def halves(self):
        """Texts that share a half with each other, or contain another text."""
        first, second, third = (self.sentences() for _ in range(3))
        size = min(map(len, (first, second, third)))
        first, second, third = first[:size], second[:size], third[:size]
        return [self.join(part) for part in (first + second, second + third, third + first, third)]

    def chains(self):
        """Each text is similar to the next, the first not to the last."""
        size = max(20, self.sizes[1] // 2)
        step = max(1, size // 25)
        sentences = self.sentences(size + 6 * step)
        return [self.join(sentences[start : start + size]) for start in range(0, 7 * step, step)]

    def single(self):
        return [self.join(self.sentences()) for _ in range(3)]

    def models(self):
        """Lines of a catalogue, such as `STYLE series N-01C`."""
        name = self.title()
        return [f"{name} {self.code()}" for _ in range(5)]

    def titles(self):
        """A heading, edited, and another heading."""
        title = self.title()
        return [title, self.edit(title, 0.05), self.edit(title, 0.1), self.title()]

    def title(self):
        return Topic(self.rng.choice(self.languages), self.rng).title()

    def code(self):
        return f"{self.rng.choice('NFPSH')}-{self.rng.randrange(100):02}{self.rng.choice('CDE')}"

    def families(self, count, kinds):
        for kind in kinds:
            for _ in range(count):
                yield kind, getattr(self, kind)()


def narrow(text):
    """The text with half-width katakana; those with a sound mark become two characters."""
    parts = (unicodedata.normalize("NFD", c) if "ァ" <= c <= "ヺ" else c for c in text)
    return "".join(parts).translate(NARROW)


LONG_KINDS = (
    "copies width_only case_only edited crowds reworded moved templates halves chains single".split()
)
SHORT_KINDS = ["models", "titles"]


def invented(seed, families, sizes, kinds):
    """Texts in Japanese, English and both: `families` of each kind and language.

    Most texts have from `sizes[0]` to `sizes[1]` sentences. Those of templates may have three times as
    many, those of chains have at least 20.
    """
    rng = random.Random(seed)
    japanese, english, _ = languages(rng)
    texts = []
    number = 0
    for spoken in ([japanese], [english], [japanese, english]):
        for kind, family in Writer(rng, spoken, sizes).families(families, kinds):
            texts.extend(Text(kind, number, text) for text in family)
            number += 1
    rng.shuffle(texts)
    return texts


def normalize(text):
    """The text in lower case, of one width and with single spaces, as the jobs compare it."""
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def shingles(text, length):
    return {text[start : start + length] for start in range(len(text) - length + 1)}


def jaccard(first, second):
    both = len(first & second)
    return both / (len(first) + len(second) - both)


def similar_pairs(sets, threshold):
    """The pairs of sets with at least this similarity, as numbers of the sets.

    Of such a pair, the smaller set shares one of its rarest members with the larger one: it has at
    most (1 - threshold) of its members for itself. So only sets that share a rare member are compared.
    """
    frequency = Counter(member for found in sets for member in found)
    by_member = defaultdict(list)
    for number, found in enumerate(sets):
        rarest = sorted(found, key=lambda member: (frequency[member], member))
        for member in rarest[: len(found) - int(threshold * len(found)) + 1]:
            by_member[member].append(number)
    candidates = {pair for numbers in by_member.values() for pair in combinations(numbers, 2)}
    return {pair for pair in candidates if jaccard(sets[pair[0]], sets[pair[1]]) >= threshold}


def components(count, pairs):
    """Returns the smallest number in the component of each number below `count`."""
    label = list(range(count))

    def root(number):
        while label[number] != number:
            label[number] = label[label[number]]
            number = label[number]
        return number

    for pair in pairs:
        first, second = sorted(map(root, pair))
        label[second] = first
    return [root(number) for number in range(count)]


def groups_of_documents(normal, length, threshold):
    """Returns a group number for each normalized text. Texts that are similar, directly or through
    others, share a group."""
    distinct = sorted(set(normal))
    sets = [shingles(text, length) for text in distinct]
    labels = components(len(distinct), similar_pairs(sets, threshold))
    label = dict(zip(distinct, labels))
    return [label[text] for text in normal]


def groups_of_paragraphs(texts, shortest=20, short=30, threshold=0.7):
    """Like `groups_of_documents`, but with the shingles of dedup_paragraph_near.sql."""
    normal = {text: normalize(text) for text in texts if len(text) >= shortest}
    distinct = sorted(set(normal.values()))
    pairs = set()
    for length in (4, 2):
        chosen = [number for number, text in enumerate(distinct) if length == 4 or len(text) <= short]
        sets = [shingles(distinct[number], length) for number in chosen]
        for first, second in similar_pairs(sets, threshold):
            first, second = chosen[first], chosen[second]
            both_short = max(len(distinct[first]), len(distinct[second])) <= short
            if both_short == (length == 2):
                pairs.add((first, second))
    label = dict(zip(distinct, components(len(distinct), pairs)))
    # Paragraphs that are too short have separate groups.
    return [label[normal[text]] if text in normal else -1 - place for place, text in enumerate(texts)]


class Score(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self):
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def score(truth, found):
    """Compares the pairs within groups. Both arguments contain the group of each text."""
    expected, given = (pairs_within(groups) for groups in (truth, found))
    right = pairs_within(list(zip(truth, found)))
    return Score(right / given if given else 1.0, right / expected if expected else 1.0)


def pairs_within(groups):
    return sum(size * (size - 1) // 2 for size in Counter(groups).values())


def merged_pairs(texts, truth, found, kind):
    """The number of pairs of a kind that are wrongly in one group, and of all pairs that should not be."""
    families = defaultdict(list)
    for number, text in enumerate(texts):
        if text.kind == kind:
            families[text.family].append(number)
    apart = [
        pair
        for numbers in families.values()
        for pair in combinations(numbers, 2)
        if truth[pair[0]] != truth[pair[1]]
    ]
    return sum(found[first] == found[second] for first, second in apart), len(apart)
