#![doc = include_str!("../README.md")]

pub mod columns;
pub mod compression;
pub mod file;
pub mod local;
pub mod memory;
pub mod places;
pub mod random;
pub mod record;
pub mod window;
pub mod work;
