#![doc = include_str!("../README.md")]

pub mod detect;
pub mod fasttext;
