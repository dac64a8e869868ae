#![doc = include_str!("../README.md")]

mod block_list;
mod parts;

pub use block_list::{BlockList, BlockListError};
pub use parts::{UrlParts, public_suffix, registered_domain};
