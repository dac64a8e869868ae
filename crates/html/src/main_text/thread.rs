//! Threads: posts next to each other in elements of the same shape.

use std::collections::{HashMap, HashSet};

use super::block::Block;
use super::containers::{ContainerRole, Containers};

/// Minimum number of posts in a thread, ...
const MIN_POSTS: u32 = 2;
/// ... and of posts that show that a page is a discussion, ...
pub const MIN_DATED_POSTS: u32 = 3;
/// ... and the minimum share of them with a date beside their text.
const MIN_DATED_SHARE: f32 = 0.75;
/// Minimum share of prose in the blocks at a place of text.
const MIN_PROSE_SHARE: f32 = 0.34;

/// The posts of a page, and the places of their texts.
#[derive(Debug)]
pub struct Thread {
    /// The number of posts.
    count: u32,
    /// For each container, the post that contains it, if any.
    posts: Vec<Option<usize>>,
    /// For each container, a hash of the elements between it and its post.
    places: Vec<u64>,
    found: HashMap<Place, Found>,
    /// The number of different headings in the same elements as texts.
    titles: usize,
}

/// A place in a post, and whether it has headings.
type Place = (u64, bool);

/// The blocks at a place.
#[derive(Debug, Default)]
struct Found {
    blocks: u32,
    prose: u32,
    dates: u32,
    posts: HashSet<usize>,
}

impl Found {
    fn is_text(&self) -> bool {
        self.prose > 0 && self.prose as f32 >= self.blocks as f32 * MIN_PROSE_SHARE
    }
}

impl Thread {
    /// Returns the elements of the same shape, next to each other, with most of the running text.
    pub fn find<'p, 'b: 'p>(
        containers: &Containers,
        blocks: impl Iterator<Item = &'p Block<'b>> + Clone,
    ) -> Option<Self> {
        let prose = blocks.clone().filter(|block| block.is_prose());
        let weights = containers.sums(prose.map(|block| (block.container, block.weight as f32)));
        let mut groups: HashMap<(usize, u32), (u32, f32)> = HashMap::new();
        for (container, weight) in containers.all.iter().zip(&weights).skip(1) {
            let may_be_post = container.shape != 0 && container.role != ContainerRole::Part;
            if may_be_post && *weight > 0.0 {
                let group = groups.entry((container.parent, container.shape));
                let (count, sum) = group.or_default();
                *count += 1;
                *sum += weight;
            }
        }
        let value = |(count, sum): &(u32, f32)| sum * (1.0 - 1.0 / *count as f32);
        let groups = groups.iter().filter(|(_, (count, _))| *count >= MIN_POSTS);
        // The first of several, so that the result does not depend on the order in the map.
        let best = groups.max_by(|one, other| {
            let by_value = value(one.1).total_cmp(&value(other.1));
            by_value.then(other.0.cmp(one.0))
        });
        let ((outer, shape), (count, _)) = best?;
        let mut thread = Self {
            count: *count,
            posts: Vec::with_capacity(containers.all.len()),
            places: Vec::with_capacity(containers.all.len()),
            found: HashMap::new(),
            titles: 0,
        };
        let within = containers.within(*outer);
        for (index, container) in containers.all.iter().enumerate() {
            let is_post = container.shape == *shape
                && index != *outer
                && within.get(index).copied().unwrap_or_default();
            let post = thread.posts.get(container.parent).copied().flatten();
            let place = thread.places.get(container.parent).copied();
            let place = place.unwrap_or_default();
            let (post, place) = if is_post {
                (Some(index), 0)
            } else if container.role == ContainerRole::Part {
                (post, place)
            } else {
                (post, hash(place, container.shape))
            };
            thread.posts.push(post);
            thread.places.push(place);
        }
        let mut headings = Vec::new();
        for block in blocks {
            if let Some(post) = thread.post(block) {
                if block.is_heading {
                    headings.push((containers.parent(block.container), block.text));
                }
                let found = thread.found.entry(thread.place(block)).or_default();
                found.blocks += 1;
                found.prose += u32::from(block.is_prose());
                found.dates += u32::from(block.has_date());
                found.posts.insert(post);
            }
        }
        let titles = headings.into_iter();
        let titles = titles.filter(|(outer, _)| thread.has_text(*outer));
        thread.titles = titles.map(|(_, text)| text).collect::<HashSet<_>>().len();
        Some(thread)
    }

    /// Whether a container is at a place of text.
    fn has_text(&self, container: usize) -> bool {
        let place = self.places.get(container).copied().unwrap_or_default();
        self.found.get(&(place, false)).is_some_and(Found::is_text)
    }

    /// The post that contains a block, identified by its container.
    pub fn post(&self, block: &Block<'_>) -> Option<usize> {
        self.posts.get(block.container).copied().flatten()
    }

    fn place(&self, block: &Block<'_>) -> Place {
        let place = self.places.get(block.container).copied();
        (place.unwrap_or_default(), block.is_heading)
    }

    /// Whether most posts have a date beside their text. Items of a list have titles, too, while
    /// headings in posts repeat the title of the thread or are names of authors beside the text.
    pub fn is_dated(&self) -> bool {
        let mut places = self.found.values();
        self.count >= MIN_DATED_POSTS
            && self.titles <= self.count as usize / 2
            && places.any(|place| {
                !place.is_text() && place.dates as f32 >= self.count as f32 * MIN_DATED_SHARE
            })
    }

    /// Whether this block is beside the text of its post: other posts have the same place, and none
    /// has prose there.
    pub fn is_label(&self, containers: &Containers, block: &Block<'_>) -> bool {
        let Some(post) = self.post(block) else {
            return false;
        };
        let found = self.found.get(&self.place(block));
        if !found.is_some_and(|found| found.prose == 0 && found.posts.len() >= 2) {
            return false;
        }
        // Whatever is inside the text of a post is part of it.
        let around = containers.around(block.container).skip(1);
        let mut inside = around.take_while(|outer| *outer != post);
        !inside.any(|outer| self.places.get(outer) != Some(&0) && self.has_text(outer))
    }
}

/// Adds a shape to a hash.
fn hash(hash: u64, shape: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(shape) ^ 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
