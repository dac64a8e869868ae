//! Lists of offers: elements next to each other, each with a link and a price.

use super::block::Block;
use super::containers::Containers;

/// Minimum number of offers in a list.
const MIN_OFFERS: usize = 6;
/// Minimum share of the offers that lead to a page.
const MIN_SHARE_WITH_LINK: f32 = 0.8;
/// Minimum share of the list in the main content. Otherwise the offers only supplement the text.
const MIN_SHARE_OF_TEXT: f32 = 0.85;

/// Returns the headline and the list of offers as main content, if there is a list and it has most
/// of the text.
pub fn with_offers<'p, 'b>(
    kept: &[&'p Block<'b>],
    blocks: &'p [Block<'b>],
    containers: &Containers,
    headline: Option<usize>,
) -> Option<Vec<&'p Block<'b>>> {
    let list = list_of_offers(containers, blocks)?;
    let within = containers.within(list);
    let is_within = |block: &Block<'_>| within.get(block.container).copied().unwrap_or_default();
    let weight_of = |block: &Block<'_>| block.weight as f32;
    let inside = blocks.iter().filter(|block| is_within(block));
    let inside: f32 = inside.map(weight_of).sum();
    let outside = kept.iter().filter(|block| !is_within(block));
    let outside: f32 = outside.map(|block| weight_of(block)).sum();
    if inside < (inside + outside) * MIN_SHARE_OF_TEXT {
        return None;
    }
    let mut kept = kept.iter().peekable();
    let mut with_offers = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let is_kept = kept.next_if(|kept| std::ptr::eq(**kept, block)).is_some();
        if is_kept || headline == Some(index) || is_within(block) {
            with_offers.push(block);
        }
    }
    Some(with_offers)
}

/// The container with the most offers directly inside it.
pub fn list_of_offers(containers: &Containers, blocks: &[Block<'_>]) -> Option<usize> {
    let prices = blocks.iter().filter(|block| block.has_price());
    let prices: Vec<_> = prices.map(|block| (block.container, 1.0)).collect();
    if prices.len() < MIN_OFFERS {
        return None;
    }
    let prices = containers.sums(prices.into_iter());
    let links = blocks.iter().filter(|block| block.is_navigation());
    let links = containers.sums(links.map(|block| (block.container, 1.0)));
    // For each container, the number of child elements with a price, and how many of them also have
    // a link.
    let mut counts = vec![(0_usize, 0_usize); containers.all.len()];
    let children = containers.all.iter().zip(prices.iter().zip(&links)).skip(1);
    for (container, (prices, links)) in children {
        if *prices > 0.0
            && let Some((with_price, with_link)) = counts.get_mut(container.parent)
        {
            *with_price += 1;
            *with_link += usize::from(*links > 0.0);
        }
    }
    let best = counts.iter().enumerate().max_by_key(|(_, counts)| counts.0);
    let (list, (with_price, with_link)) = best?;
    let is_list =
        *with_price >= MIN_OFFERS && *with_link as f32 >= *with_price as f32 * MIN_SHARE_WITH_LINK;
    is_list.then_some(list)
}
