//! Sets of nodes that are merged by edges.

/// The error of adding a node to a [`UnionFind`] that already has the maximum of 2³¹ − 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyNodes;

impl std::fmt::Display for TooManyNodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {MAX_NODES} different ids")
    }
}

impl std::error::Error for TooManyNodes {}

const MAX_NODES: usize = (1 << 31) - 1;

/// The number of edges whose nodes are loaded at a time.
const CHUNK_EDGES: usize = 256;

/// Marks the link of a root, which holds the size of its set, less one.
const ROOT: u32 = 1 << 31;

/// The effect of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Union {
    /// The edge merged two sets.
    Merged,
    /// Its nodes were already in the same set.
    Known,
    /// The merged set would have been too large.
    Refused,
}

/// Disjoint sets of nodes, which are numbers from 0.
///
/// The smaller set is linked to the larger one, and paths are halved at each search: an edge costs
/// practically constant time, whatever the order of edges. A node takes 4 bytes, and 4 more from
/// the first refused edge on.
///
/// ```
/// use corpus_dedup::components::{Union, UnionFind};
///
/// let mut sets = UnionFind::new(3);
/// for _ in 0..4 {
///     sets.add_node()?;
/// }
/// assert_eq!(sets.union(0, 1), Union::Merged);
/// assert_eq!(sets.union(2, 3), Union::Merged);
/// assert_eq!(sets.union(1, 2), Union::Refused);
/// assert_eq!(sets.find(0), sets.find(1));
/// let root = sets.find(1);
/// assert_eq!((sets.root_size(root), sets.root_refused(root)), (2, 1));
/// # Ok::<(), corpus_dedup::components::TooManyNodes>(())
/// ```
#[derive(Debug, Default)]
pub struct UnionFind {
    /// The parent of each node, or the size of its set if it is a root.
    links: Vec<u32>,
    max_size: u32,
    /// The number of edges refused at each root. Empty until the first refused edge.
    refused: Vec<u32>,
}

impl UnionFind {
    /// Returns an empty structure, whose sets will have at most `max_size` nodes.
    pub fn new(max_size: u32) -> Self {
        Self {
            max_size,
            ..Self::default()
        }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// The number of bytes allocated.
    pub fn memory(&self) -> usize {
        (self.links.capacity() + self.refused.capacity()) * size_of::<u32>()
    }

    /// Adds a node in a new set. Returns its number; nodes are numbered from 0.
    pub fn add_node(&mut self) -> Result<u32, TooManyNodes> {
        let node = self.links.len();
        if node >= MAX_NODES {
            return Err(TooManyNodes);
        }
        push(&mut self.links, ROOT);
        if !self.refused.is_empty() {
            push(&mut self.refused, 0);
        }
        Ok(node as u32)
    }

    /// Returns the root of a node's set. Halves the path to it.
    #[inline]
    pub fn find(&mut self, mut node: u32) -> u32 {
        loop {
            let parent = self.links[node as usize];
            if parent & ROOT != 0 {
                return node;
            }
            let grandparent = self.links[parent as usize];
            if grandparent & ROOT != 0 {
                return parent;
            }
            self.links[node as usize] = grandparent;
            node = grandparent;
        }
    }

    /// Merges the sets of two nodes.
    #[inline]
    pub fn union(&mut self, first: u32, second: u32) -> Union {
        let (first, second) = (self.find(first), self.find(second));
        if first == second {
            return Union::Known;
        }
        let size = self.root_size(first) + self.root_size(second);
        if size > u64::from(self.max_size) {
            self.refuse(first);
            self.refuse(second);
            return Union::Refused;
        }
        let (larger, smaller) = if self.root_size(first) < self.root_size(second) {
            (second as usize, first as usize)
        } else {
            (first as usize, second as usize)
        };
        // A set has at most 2³¹ nodes, so the size less one fits.
        self.links[larger] = ROOT | (size - 1) as u32;
        self.links[smaller] = larger as u32;
        if !self.refused.is_empty() {
            self.refused[larger] = self.refused[larger].saturating_add(self.refused[smaller]);
        }
        Union::Merged
    }

    /// Adds edges like [`Self::union`], in their order. Returns the number of refused ones.
    ///
    /// The first step of each search waits for memory, so a loop without branches does it for many
    /// edges.
    pub fn union_all(&mut self, edges: impl IntoIterator<Item = (u32, u32)>) -> usize {
        let mut edges = edges.into_iter();
        let mut chunk = Vec::with_capacity(CHUNK_EDGES);
        let mut refused = 0;
        loop {
            chunk.clear();
            chunk.extend(edges.by_ref().take(CHUNK_EDGES));
            if chunk.is_empty() {
                return refused;
            }
            for (first, second) in &mut chunk {
                (*first, *second) = (self.step(*first), self.step(*second));
            }
            let unions = chunk
                .iter()
                .map(|&(first, second)| self.union(first, second));
            refused += unions.filter(|union| *union == Union::Refused).count();
        }
    }

    /// Returns the grandparent of a node, or the root if that is nearer.
    #[inline]
    fn step(&self, node: u32) -> u32 {
        let up = |node: u32| {
            let link = self.links[node as usize];
            if link & ROOT == 0 { link } else { node }
        };
        up(up(node))
    }

    /// Returns the root of a node's set, like [`Self::find`], without changing anything.
    pub fn root(&self, mut node: u32) -> u32 {
        loop {
            let parent = self.links[node as usize];
            if parent & ROOT != 0 {
                return node;
            }
            node = parent;
        }
    }

    /// Returns the size of the set with a root.
    pub fn root_size(&self, root: u32) -> u64 {
        u64::from(self.links[root as usize] & !ROOT) + 1
    }

    /// Returns the number of edges that were refused between the set with a root and others.
    pub fn root_refused(&self, root: u32) -> u32 {
        self.refused.get(root as usize).copied().unwrap_or(0)
    }

    fn refuse(&mut self, root: u32) {
        if self.refused.is_empty() {
            self.refused = vec![0; self.links.len()];
        }
        let count = &mut self.refused[root as usize];
        *count = count.saturating_add(1);
    }
}

/// Appends a value. A full vector grows by a quarter, because doubling would leave half of the
/// memory unused.
pub(super) fn push<T>(values: &mut Vec<T>, value: T) {
    if values.len() == values.capacity() {
        values.reserve_exact((values.len() / 4).max(MIN_GROWTH));
    }
    values.push(value);
}

const MIN_GROWTH: usize = 64;
