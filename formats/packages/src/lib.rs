#![doc = include_str!("../README.md")]

mod ahead;
pub mod columns;
mod pull;
mod tar;
mod zip;

pub use self::pull::open;
