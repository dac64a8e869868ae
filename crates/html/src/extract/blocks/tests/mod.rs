//! Tests of the blocks of pages.

mod invariants;
mod pages;

use super::{Addresses, blocks};
use crate::engine::Engine;
use crate::events::Options;
use corpus_blocks::Block;
use corpus_blocks::markdown::{self, markdown};

fn blocks_of(page: &str) -> Vec<Block> {
    blocks(
        Engine::default(),
        &Options::default(),
        page,
        &Addresses::None,
    )
}

/// Checks the Markdown of both engines.
#[track_caller]
fn assert_markdown(page: &str, expected: &str) {
    for engine in [Engine::Native, Engine::Html5ever] {
        let blocks = blocks(engine, &Options::default(), page, &Addresses::None);
        let written = markdown(&blocks, &markdown::Options::default());
        assert_eq!(written, expected, "{engine} {page}");
    }
}
