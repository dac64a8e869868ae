#![doc = include_str!("../README.md")]

pub mod characters;
mod hashing;
pub mod lines;
pub mod quality;
pub mod repetition;
pub mod words;
