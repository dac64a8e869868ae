//! Writes small models, so that tests need neither fastText nor files.

use corpus_bytes::random::Random;

pub const HIERARCHICAL: i32 = 1;
pub const NEGATIVES: i32 = 2;
pub const SOFTMAX: i32 = 3;
pub const ONE_VS_ALL: i32 = 4;

#[derive(Clone)]
pub struct Sketch {
    pub version: i32,
    pub kind: i32,
    pub dimension: usize,
    pub word_ngrams: i32,
    pub loss: i32,
    pub bucket: i32,
    pub min_chars: i32,
    pub max_chars: i32,
    pub words: Vec<String>,
    pub labels: Vec<(String, i64)>,
    /// Buckets with the rows that they have after those of words.
    pub pruned: Option<Vec<(i32, i32)>>,
    pub input: Table,
    pub output: Table,
}

#[derive(Clone)]
pub enum Table {
    Dense(Vec<Vec<f32>>),
    Quantized {
        part: usize,
        /// The codes of each row.
        codes: Vec<Vec<u8>>,
        /// Numbers of each centroid of each part.
        centroids: Vec<Vec<Vec<f32>>>,
        norms: Option<(Vec<u8>, Vec<f32>)>,
    },
}

impl Table {
    pub fn dense(random: &mut Random, rows: usize, columns: usize) -> Self {
        Self::Dense((0..rows).map(|_| numbers(random, columns)).collect())
    }

    pub fn quantized(
        random: &mut Random,
        rows: usize,
        columns: usize,
        part: usize,
        norms: bool,
    ) -> Self {
        let widths: Vec<_> = (0..columns)
            .step_by(part)
            .map(|start| part.min(columns - start))
            .collect();
        Self::Quantized {
            part,
            codes: (0..rows).map(|_| random.bytes(widths.len())).collect(),
            centroids: widths
                .iter()
                .map(|width| (0..256).map(|_| numbers(random, *width)).collect())
                .collect(),
            norms: norms.then(|| (random.bytes(rows), numbers(random, 256))),
        }
    }

    pub fn row(&self, row: usize) -> Vec<f32> {
        match self {
            Self::Dense(rows) => rows[row].clone(),
            Self::Quantized {
                codes,
                centroids,
                norms,
                ..
            } => {
                let norm = norms
                    .as_ref()
                    .map_or(1.0, |(codes, values)| values[usize::from(codes[row])]);
                let parts = codes[row].iter().zip(centroids);
                parts
                    .flat_map(|(code, centroids)| &centroids[usize::from(*code)])
                    .map(|value| value * norm)
                    .collect()
            }
        }
    }

    fn write(&self, out: &mut Vec<u8>, columns: usize) {
        match self {
            Self::Dense(rows) => {
                longs(out, &[rows.len() as i64, columns as i64]);
                rows.iter().for_each(|row| floats(out, row));
            }
            Self::Quantized {
                part,
                codes,
                centroids,
                norms,
            } => {
                out.push(u8::from(norms.is_some()));
                longs(out, &[codes.len() as i64, columns as i64]);
                let all = codes.concat();
                ints(out, &[all.len() as i32]);
                out.extend(all);
                let last = centroids.last().unwrap()[0].len();
                let sizes = [columns, centroids.len(), *part, last];
                ints(out, &sizes.map(|size| size as i32));
                centroids
                    .iter()
                    .flatten()
                    .for_each(|numbers| floats(out, numbers));
                if let Some((codes, values)) = norms {
                    out.extend(codes);
                    ints(out, &[1, 1, 1, 1]);
                    floats(out, values);
                }
            }
        }
    }
}

impl Sketch {
    /// Five labels, a few words, and random numbers.
    pub fn new(random: &mut Random, loss: i32) -> Self {
        let words = ["</s>", "the", "of", "est", "日本", "é", "la", "a\u{a0}b"];
        let labels = [("en", 90), ("fr", 41), ("ja", 20), ("de", 9), ("x", 4)];
        let mut sketch = Self {
            version: 12,
            kind: 3,
            dimension: 7,
            word_ngrams: 1,
            loss,
            bucket: 0,
            min_chars: 0,
            max_chars: 0,
            words: words.map(str::to_owned).to_vec(),
            labels: labels
                .map(|(name, count)| (format!("__label__{name}"), count))
                .to_vec(),
            pruned: None,
            input: Table::Dense(Vec::new()),
            output: Table::Dense(Vec::new()),
        };
        sketch.fill(random);
        sketch
    }

    /// Makes dense matrices of the sizes that the other fields ask for.
    pub fn fill(&mut self, random: &mut Random) {
        self.input = Table::dense(random, self.rows(), self.dimension);
        self.output = Table::dense(random, self.labels.len(), self.dimension);
    }

    /// The number of rows of the input matrix.
    pub fn rows(&self) -> usize {
        let ngrams = self
            .pruned
            .as_ref()
            .map_or(self.bucket as usize, |kept| kept.len());
        self.words.len() + ngrams
    }

    /// Keeps every third bucket, in another order.
    pub fn prune(&mut self) {
        let kept = (0..self.bucket).filter(|bucket| bucket % 3 == 1);
        let count = kept.clone().count() as i32;
        // 11 divides no count here, so that every row occurs once.
        assert_ne!(count % 11, 0);
        let rows = (0..count).map(|index| index * 11 % count);
        self.pruned = Some(kept.zip(rows).collect());
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        ints(&mut out, &[793_712_314, self.version]);
        let head = [5, 5, 1, 5, self.word_ngrams, self.loss, self.kind];
        ints(&mut out, &[self.dimension as i32]);
        ints(&mut out, &head);
        ints(
            &mut out,
            &[self.bucket, self.min_chars, self.max_chars, 100],
        );
        out.extend(0.0001f64.to_le_bytes());
        let [words, labels] = [self.words.len(), self.labels.len()].map(|count| count as i32);
        ints(&mut out, &[words + labels, words, labels]);
        let pruned = self.pruned.as_ref().map_or(-1, |kept| kept.len() as i64);
        longs(&mut out, &[1000, pruned]);
        let words = self.words.iter().map(|word| (word, 3, 0));
        let labels = self.labels.iter().map(|(label, count)| (label, *count, 1));
        for (entry, count, kind) in words.chain(labels) {
            out.extend(entry.as_bytes());
            out.push(0);
            longs(&mut out, &[count]);
            out.push(kind);
        }
        for (bucket, row) in self.pruned.iter().flatten() {
            ints(&mut out, &[*bucket, *row]);
        }
        for table in [&self.input, &self.output] {
            out.push(u8::from(matches!(table, Table::Quantized { .. })));
            table.write(&mut out, self.dimension);
        }
        out
    }
}

/// All combinations that models come in.
pub fn sketches(random: &mut Random) -> Vec<Sketch> {
    let mut sketches = Vec::new();
    for loss in [HIERARCHICAL, NEGATIVES, SOFTMAX, ONE_VS_ALL] {
        for (word_ngrams, min_chars, max_chars, bucket) in [
            (1, 0, 0, 0),
            (1, 2, 5, 50),
            (1, 1, 3, 130),
            (2, 0, 0, 64),
            (3, 3, 3, 31),
            (3, 2, 4, 0),
        ] {
            for (dimension, version) in [(7, 12), (16, 12), (16, 11), (55, 12)] {
                let mut plain = Sketch::new(random, loss);
                plain.version = version;
                plain.dimension = dimension;
                plain.word_ngrams = word_ngrams;
                plain.min_chars = min_chars;
                plain.max_chars = max_chars;
                plain.bucket = bucket;
                plain.fill(random);
                let mut quantized = plain.clone();
                if bucket > 0 {
                    quantized.prune();
                }
                let rows = quantized.rows();
                quantized.input = Table::quantized(random, rows, dimension, 2, bucket > 60);
                let mut both = quantized.clone();
                both.output = Table::quantized(random, both.labels.len(), dimension, 3, true);
                sketches.extend([plain, quantized, both]);
            }
        }
    }
    sketches
}

fn numbers(random: &mut Random, count: usize) -> Vec<f32> {
    let number = |_| random.below(4001) as f32 / 1000.0 - 2.0;
    (0..count).map(number).collect()
}

fn ints(out: &mut Vec<u8>, values: &[i32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn longs(out: &mut Vec<u8>, values: &[i64]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}
