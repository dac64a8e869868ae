//! A cache of the most recently read blocks of files.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The size of a block. A smaller request takes about as long.
const BLOCK_BYTES: u64 = 256 << 10;

type Key = (Arc<str>, u64);

/// Keeps blocks up to a total size, and removes the least recently used ones.
pub struct BlockCache {
    max_bytes: usize,
    blocks: Mutex<Blocks>,
}

#[derive(Default)]
struct Blocks {
    by_key: HashMap<Key, Block>,
    /// The keys by the time of their last use.
    by_use: BTreeMap<u64, Key>,
    time: u64,
    bytes: usize,
}

struct Block {
    bytes: Arc<[u8]>,
    used: u64,
}

impl BlockCache {
    pub fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            blocks: Mutex::default(),
        }
    }

    /// Returns the bytes of a range of a file with this size. `request` reads missing blocks:
    /// adjacent ones in one call.
    pub fn read(
        &self,
        name: &Arc<str>,
        size: u64,
        range: Range<u64>,
        request: impl Fn(Range<u64>) -> io::Result<Vec<u8>>,
    ) -> io::Result<Vec<u8>> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        // The range would evict everything else.
        if range.end - range.start > self.max_bytes as u64 / 2 {
            return request(range);
        }
        let numbers = range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES);
        let mut blocks: Vec<Option<Arc<[u8]>>> = {
            let mut kept = self.lock();
            let keys = numbers.clone().map(|number| (Arc::clone(name), number));
            keys.map(|key| kept.get(&key)).collect()
        };
        let mut at = 0;
        while let Some(first) = (at..blocks.len()).find(|at| blocks[*at].is_none()) {
            let missing = blocks[first..].iter().take_while(|block| block.is_none());
            at = first + missing.count();
            let start = (numbers.start + first as u64) * BLOCK_BYTES;
            let end = ((numbers.start + at as u64) * BLOCK_BYTES).min(size);
            let bytes = request(start..end)?;
            let mut kept = self.lock();
            for (index, bytes) in (first..at).zip(bytes.chunks(BLOCK_BYTES as usize)) {
                let bytes: Arc<[u8]> = bytes.into();
                let key = (Arc::clone(name), numbers.start + index as u64);
                kept.insert(key, Arc::clone(&bytes), self.max_bytes);
                blocks[index] = Some(bytes);
            }
        }
        let skipped = (range.start - numbers.start * BLOCK_BYTES) as usize;
        let length = (range.end - range.start) as usize;
        let mut bytes = Vec::with_capacity(length);
        for (index, block) in blocks.iter().enumerate() {
            let block = block.as_deref().unwrap_or_default();
            let from = if index == 0 { skipped } else { 0 };
            let rest = block.get(from..).unwrap_or_default();
            bytes.extend_from_slice(&rest[..rest.len().min(length - bytes.len())]);
        }
        if bytes.len() == length {
            Ok(bytes)
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocks {
    fn get(&mut self, key: &Key) -> Option<Arc<[u8]>> {
        let block = self.by_key.get_mut(key)?;
        self.time += 1;
        self.by_use.remove(&block.used);
        self.by_use.insert(self.time, key.clone());
        block.used = self.time;
        Some(Arc::clone(&block.bytes))
    }

    fn insert(&mut self, key: Key, bytes: Arc<[u8]>, max_bytes: usize) {
        self.time += 1;
        self.bytes += bytes.len();
        let used = self.time;
        self.by_use.insert(used, key.clone());
        // Another thread may have read the same block.
        if let Some(old) = self.by_key.insert(key, Block { bytes, used }) {
            self.by_use.remove(&old.used);
            self.bytes -= old.bytes.len();
        }
        while self.bytes > max_bytes
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            if let Some(old) = self.by_key.remove(&oldest) {
                self.bytes -= old.bytes.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const BLOCK: usize = BLOCK_BYTES as usize;

    fn file(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at / 7 % 251) as u8).collect()
    }

    /// Reads ranges, and compares them with the file. Returns the starts and ends of the requests.
    fn requests(cache: &BlockCache, file: &[u8], ranges: &[Range<usize>]) -> Vec<(u64, u64)> {
        let requested = RefCell::new(Vec::new());
        let name: Arc<str> = "file".into();
        for range in ranges {
            let request = |range: Range<u64>| {
                requested.borrow_mut().push((range.start, range.end));
                Ok(file[range.start as usize..range.end as usize].to_vec())
            };
            let wanted = range.start as u64..range.end as u64;
            let read = cache.read(&name, file.len() as u64, wanted, request);
            assert!(read.unwrap() == file[range.clone()], "{range:?}");
        }
        requested.into_inner()
    }

    fn request_one(cache: &BlockCache, file: &[u8], range: Range<usize>) -> Vec<(u64, u64)> {
        requests(cache, file, std::slice::from_ref(&range))
    }

    #[test]
    fn blocks_are_requested_once_and_together() {
        let (cache, file) = (BlockCache::new(100 * BLOCK), file(10 * BLOCK + 5));
        let block = BLOCK_BYTES;
        assert_eq!(requests(&cache, &file, &[3..3, 1..2]), [(0, block)]);
        assert!(requests(&cache, &file, &[0..BLOCK, 5..9]).is_empty());
        let across = BLOCK - 1..3 * BLOCK + 1;
        assert_eq!(request_one(&cache, &file, across), [(block, 4 * block)]);
        let end = 10 * BLOCK..10 * BLOCK + 5;
        assert_eq!(
            request_one(&cache, &file, end),
            [(10 * block, 10 * block + 5)]
        );
        let all = 0..file.len();
        assert_eq!(request_one(&cache, &file, all), [(4 * block, 10 * block)]);
    }

    #[test]
    fn memory_is_bounded() {
        let (cache, file) = (BlockCache::new(4 * BLOCK), file(50 * BLOCK));
        for at in (0..50).chain(0..50) {
            request_one(&cache, &file, at * BLOCK..(at + 1) * BLOCK);
            let kept = cache.lock();
            assert!(kept.bytes <= 4 * BLOCK && kept.by_key.len() == kept.by_use.len());
        }
        // The last blocks are kept.
        assert!(request_one(&cache, &file, 48 * BLOCK..50 * BLOCK).is_empty());
        // A large read keeps them.
        request_one(&cache, &file, 0..20 * BLOCK);
        assert!(request_one(&cache, &file, 48 * BLOCK..50 * BLOCK).is_empty());
    }

    #[test]
    fn a_failed_request_is_repeated_by_the_next_read() {
        let (cache, file) = (BlockCache::new(4 * BLOCK), file(BLOCK));
        let fails = |_| Err(io::Error::other("lost"));
        assert!(cache.read(&"file".into(), 10, 0..5, fails).is_err());
        assert_eq!(request_one(&cache, &file, 0..5).len(), 1);
    }
}
