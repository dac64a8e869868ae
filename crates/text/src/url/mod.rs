//! Parts of URLs, registered domains and block lists.

mod block_list;
mod parts;

pub use block_list::{BlockList, BlockListError};
pub use parts::{UrlParts, public_suffix, registered_domain};
