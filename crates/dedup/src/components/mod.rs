//! Finds connected components: sets of ids that are connected by edges.
//!
//! ```text
//! ids         assigns numbers to ids
//! table       the hash table for this
//! union_find  merges sets of numbers
//! ```

mod ids;
mod table;
mod union_find;

pub use ids::{Ids, IntegerIds, TextIds};
use table::CHUNK_IDS;
pub use union_find::{TooManyNodes, Union, UnionFind};

/// Collects edges between ids.
///
/// The components do not depend on the order of edges, and the smallest id of a component is its
/// label. A maximum size makes the result depend on the order: an edge that would make a larger
/// component is refused and counted.
///
/// An id takes at most 31 bytes while the table of ids grows, and 17 to 26 otherwise. Text ids also
/// take their length.
///
/// ```
/// use corpus_dedup::components::{Component, Components, IntegerIds};
///
/// let mut components = Components::<IntegerIds>::default();
/// components.add_edge(30, 20)?;
/// components.add_edge(20, 10)?;
/// components.add_node(5)?;
/// let labelled: Vec<_> = components.finish().iter().collect();
/// assert_eq!(labelled[0], Component { id: 30, label: 10, size: 3, refused_edges: 0 });
/// assert_eq!(labelled[3], Component { id: 5, label: 5, size: 1, refused_edges: 0 });
/// # Ok::<(), corpus_dedup::components::TooManyNodes>(())
/// ```
#[derive(Debug)]
pub struct Components<I> {
    ids: I,
    sets: UnionFind,
}

/// Components without a maximum size.
impl<I: Ids> Default for Components<I> {
    fn default() -> Self {
        Self::with_max_size(u32::MAX)
    }
}

impl<I: Ids> Components<I> {
    /// Returns an empty collection, whose components will have at most `max_size` ids.
    pub fn with_max_size(max_size: u32) -> Self {
        Self {
            ids: I::default(),
            sets: UnionFind::new(max_size),
        }
    }

    /// Adds an id, unless it is known. Without edges it is a component by itself.
    #[inline]
    pub fn add_node(&mut self, id: I::Id<'_>) -> Result<u32, TooManyNodes> {
        if let Some(number) = self.ids.find(id) {
            return Ok(number);
        }
        let number = self.sets.add_node()?;
        self.ids.add(id);
        Ok(number)
    }

    /// Adds ids like [`Self::add_node`], and returns their numbers. It is faster for many ids,
    /// because the processor waits for the memory of several at a time.
    pub fn add_nodes(&mut self, ids: &[I::Id<'_>]) -> Result<Vec<u32>, TooManyNodes> {
        let mut numbers = Vec::with_capacity(ids.len());
        let mut found = Vec::with_capacity(CHUNK_IDS);
        for ids in ids.chunks(CHUNK_IDS) {
            found.clear();
            self.ids.find_all(ids, |number| found.push(number));
            for (&id, number) in ids.iter().zip(&found) {
                numbers.push(match number {
                    Some(number) => *number,
                    None => self.add_node(id)?,
                });
            }
        }
        Ok(numbers)
    }

    /// Adds an edge, and its ids unless they are known.
    #[inline]
    pub fn add_edge(&mut self, first: I::Id<'_>, second: I::Id<'_>) -> Result<Union, TooManyNodes> {
        let (first, second) = (self.add_node(first)?, self.add_node(second)?);
        Ok(self.connect(first, second))
    }

    /// Adds an edge between two ids with the numbers that [`Self::add_node`] returned.
    #[inline]
    pub fn connect(&mut self, first: u32, second: u32) -> Union {
        self.sets.union(first, second)
    }

    /// Adds edges like [`Self::connect`], in their order and faster. Returns the number of refused
    /// ones.
    pub fn connect_all(&mut self, edges: impl IntoIterator<Item = (u32, u32)>) -> usize {
        self.sets.union_all(edges)
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The number of bytes allocated.
    pub fn memory(&self) -> usize {
        self.ids.memory() + self.sets.memory()
    }

    /// The number of bytes that [`Self::finish`] allocates, before it frees the table of ids.
    pub fn memory_to_finish(&self) -> usize {
        self.len() * size_of::<u32>()
    }

    /// Returns the component of each id.
    pub fn finish(mut self) -> Labels<I> {
        self.ids.freeze();
        let mut smallest: Vec<u32> = (0..self.sets.len() as u32).collect();
        for number in 0..self.sets.len() as u32 {
            let smallest = &mut smallest[self.sets.find(number) as usize];
            if self.ids.id(number) < self.ids.id(*smallest) {
                *smallest = number;
            }
        }
        Labels {
            ids: self.ids,
            sets: self.sets,
            smallest,
        }
    }
}

/// An id with its component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component<T> {
    pub id: T,
    /// The smallest id of the component.
    pub label: T,
    /// The number of ids in the component.
    pub size: u64,
    /// The number of edges that were refused between the component and others. They count in both.
    pub refused_edges: u32,
}

/// The components of all ids.
#[derive(Debug)]
pub struct Labels<I> {
    ids: I,
    sets: UnionFind,
    /// The smallest id of each root's set.
    smallest: Vec<u32>,
}

impl<I: Ids> Labels<I> {
    /// The number of ids.
    pub fn len(&self) -> usize {
        self.smallest.len()
    }

    pub fn is_empty(&self) -> bool {
        self.smallest.is_empty()
    }

    /// The number of bytes allocated.
    pub fn memory(&self) -> usize {
        self.ids.memory() + self.sets.memory() + self.smallest.capacity() * size_of::<u32>()
    }

    /// Returns the ids with their components, in the order in which the ids were added.
    pub fn iter(&self) -> impl Iterator<Item = Component<I::Id<'_>>> {
        (0..self.smallest.len() as u32).map(|number| self.get(number))
    }

    /// Returns the component of the id with a number below [`Self::len`].
    pub fn get(&self, number: u32) -> Component<I::Id<'_>> {
        let root = self.sets.root(number);
        Component {
            id: self.ids.id(number),
            label: self.ids.id(self.smallest[root as usize]),
            size: self.sets.root_size(root),
            refused_edges: self.sets.root_refused(root),
        }
    }
}
