#![doc = include_str!("../README.md")]

pub mod boilerplate;
pub mod characters;
pub mod compression;
mod hashing;
pub mod japanese;
pub mod lines;
pub mod lists;
pub mod normalize;
pub mod parts;
pub mod pii;
mod properties;
pub mod quality;
pub mod repetition;
pub mod sentences;
pub mod url;
pub mod word_list;
pub mod words;
