#![doc = include_str!("../README.md")]

pub mod buffered_file;
pub mod columns;
pub mod compression;
pub mod file;
#[cfg(feature = "inflate")]
pub mod gzip;
#[cfg(feature = "inflate")]
pub mod inflate;
pub mod local;
pub mod memory;
pub mod places;
pub mod random;
pub mod record;
pub mod until_error;
pub mod work;
