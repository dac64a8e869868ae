"""Compares labels and probabilities with fastText's own, for models that fastText trains."""

import random
import subprocess
from pathlib import Path

import pytest

fasttext = pytest.importorskip("fasttext")

fasttext.FastText.eprint = lambda message: None

# Quantized outputs need this many labels.
LABELS = 260
LETTERS = "abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрст", "あいうえおかきくけこ日本語", "éüñçø"
QUANTIZED = [
    {},
    {"qout": True},
    {"qnorm": True},
    {"cutoff": 400},
    {"qout": True, "qnorm": True, "cutoff": 300, "dsub": 3},
]
MODELS = [
    {"loss": "softmax"},
    {"loss": "softmax", "wordNgrams": 3, "bucket": 3000},
    {"loss": "softmax", "minn": 2, "maxn": 5, "bucket": 5000, "dim": 16},
    {"loss": "hs", "minn": 1, "maxn": 3, "bucket": 2000},
    {"loss": "hs", "wordNgrams": 2, "bucket": 2000, "minn": 3, "maxn": 3},
    {"loss": "ova", "minn": 2, "maxn": 4, "bucket": 3000},
    {"loss": "ns", "wordNgrams": 2, "bucket": 1000},
    {"loss": "ova", "bucket": 0},
]


def word(rng):
    return "".join(rng.choices(rng.choice(LETTERS), k=rng.randint(1, 9)))


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """Texts with labels, each of which has its own words."""
    rng = random.Random(4)
    shared = [word(rng) for _ in range(200)]
    path = tmp_path_factory.mktemp("fasttext") / "training.txt"
    with path.open("w", encoding="utf-8") as out:
        for label in range(LABELS):
            own = [word(rng) for _ in range(6)]
            for _ in range(4):
                print(f"__label__{label}", *rng.choices(own + shared[:label], k=8), file=out)
    return path


@pytest.fixture(scope="module")
def texts(training):
    """Lines of the training and other ones, without their labels."""
    rng = random.Random(5)
    lines = [line.partition(" ")[2] for line in training.read_text("utf-8").splitlines()][::4]
    lines += [" ".join(word(rng) for _ in range(rng.randint(1, 60))) for _ in range(100)]
    lines += ["", " ", "\t x\u00a0y\v", "a </s> b", "__label__7 a", "\0 a\0b", "語" * 3000, "<> < >"]
    path = training.with_name("texts.txt")
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    return path


# Sums are computed in a different order than in fastText.
MAX_DIFFERENCE = 1e-5


@pytest.mark.parametrize("options", MODELS, ids=lambda options: "-".join(map(str, options.values())))
def test_predictions_are_those_of_fasttext(binary, training, texts, options):
    options = {"dim": 10, "epoch": 150, "lr": 0.4, "thread": 1, "verbose": 0, "seed": 1, **options}
    path = training.with_name("model.bin")
    trained = fasttext.train_supervised(str(training), **options)
    trained.save_model(str(path))
    # An untrained model gives all labels the same probability, which would prove nothing.
    lines = [line.partition(" ")[2] for line in training.read_text("utf-8").splitlines()]
    best = sorted(trained.f.predict(line, 1, 0.0, "strict")[0][0] for line in lines)
    assert best[len(best) // 2] > 20 / LABELS
    compare(binary, path, texts)
    for how in QUANTIZED:
        model = fasttext.load_model(str(path))
        model.quantize(**how)
        quantized = training.with_name("model.ftz")
        model.save_model(str(quantized))
        compare(binary, quantized, texts)


def compare(binary, path, texts):
    # Cargo builds examples together with tests.
    predict = Path(binary).parent / "examples" / "fasttext_predict"
    ran = subprocess.run([predict, path, texts, "3"], capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    model = fasttext.load_model(str(path))
    lines = texts.read_text("utf-8").split("\n")[:-1]
    results = ran.stdout.split("\n")[:-1]
    assert len(results) == len(lines)
    for line, result in zip(lines, results):
        # Get all labels, because labels with equal probabilities may be swapped. Not model.predict, which does not work
        # with NumPy 2.
        expected = [(label, p) for p, label in model.f.predict(line + "\n", -1, 0.0, "strict")]
        fields = result.split("\t") if result else []
        found = list(zip(fields[::2], map(float, fields[1::2])))
        assert [p for _, p in found] == pytest.approx([p for _, p in expected[:3]], abs=MAX_DIFFERENCE), line
        for label, p in found:
            assert dict(expected)[label] == pytest.approx(p, abs=MAX_DIFFERENCE), line
