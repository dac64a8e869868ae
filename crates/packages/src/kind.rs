//! Detects the kind of a file: a package, a compressed file or a plain one.

use std::io::{self, Cursor, Read};
use std::sync::{Arc, OnceLock};

use crate::package::{Package, read_at_most};
use crate::read_ahead::ReadAhead;
use crate::tar::{self, TarPackage};
use crate::zip::{self, ZipPackage};
use corpus_bytes::compression::Compression;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;

pub type Input = Box<dyn Read + Send>;

pub enum Kind {
    Plain,
    /// A single compressed file, with its inflated content if its start could be inflated.
    Compressed(Compression, Option<Input>),
    Package(Box<dyn Package>),
}

impl Kind {
    /// Detects packages by their magic bytes, after inflating if the file is compressed.
    pub fn detect(file: &Arc<dyn FileBytes>) -> Result<Self, RecordError> {
        let mut head = [0; tar::BLOCK_BYTES];
        let length = file
            .read_at(0, &mut head)
            .map_err(|error| RecordError::io(&error))?;
        let head = &head[..length];
        if zip::is_zip(head) {
            return Ok(Self::Package(Box::new(ZipPackage::open(file)?)));
        }
        if tar::is_tar(head) {
            let input = file.stream(0).map_err(|error| RecordError::io(&error))?;
            return Ok(Self::Package(Box::new(TarPackage::new(input))));
        }
        match Compression::detect(head) {
            Some(compression) => Self::detect_inside(file, compression),
            None => Ok(Self::Plain),
        }
    }

    /// A compressed file may hold a tar. If it cannot be inflated, it is read again as a single
    /// file, which then reports the damage. An error of the disk or network is returned, because it
    /// must not change the detected kind.
    fn detect_inside(
        file: &Arc<dyn FileBytes>,
        compression: Compression,
    ) -> Result<Self, RecordError> {
        let failure = Arc::new(OnceLock::new());
        let input = file.stream(0).map_err(|error| RecordError::io(&error))?;
        let input = Watched {
            input,
            failure: Arc::clone(&failure),
        };
        let inflated = compression.decoder(input).and_then(|mut input| {
            let block = read_at_most(&mut input, tar::BLOCK_BYTES)?;
            let is_tar = tar::is_tar(&block);
            Ok((is_tar, Box::new(Cursor::new(block).chain(input)) as Input))
        });
        if let Some(error) = failure.get() {
            return Err(RecordError::clone(error));
        }
        Ok(match inflated {
            Ok((true, input)) => {
                let input = ReadAhead::new(input, compression.name(), failure);
                let checks = input.checks();
                Self::Package(Box::new(TarPackage::new(input).checked_by(checks)))
            }
            Ok((false, input)) => Self::Compressed(compression, Some(input)),
            Err(_) => Self::Compressed(compression, None),
        })
    }
}

/// Records the first error of the file itself, which a decoder would report as damaged data.
struct Watched {
    input: Input,
    failure: Arc<OnceLock<RecordError>>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                self.failure.get_or_init(|| RecordError::io(error));
            }
        })
    }
}
