//! Decompresses remote files while they arrive.
//!
//! DataFusion's stream decoders stop after the first of several concatenated members, as parallel
//! compressors write them, and silently drop the rest.

use std::io::{self, Read};

use bytes::{Buf, Bytes};
use corpus_bytes::compression::Compression;
use datafusion::common::{Result, exec_datafusion_err};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt, future};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// The size of decompressed chunks.
const CHUNK_BYTES: usize = 256 << 10;

/// The maximum number of chunks buffered before the decoder, and after it.
const MAX_BUFFERED_CHUNKS: usize = 4;

/// A message of the decoder. `None` marks the end of the file. A channel that closes without it
/// means that the decoder was interrupted.
type Decoded = Result<Option<Bytes>>;

/// Decompresses the content on a thread that may block.
pub fn inflate(
    compression: Compression,
    chunks: BoxStream<'static, Result<Bytes>>,
) -> BoxStream<'static, Result<Bytes>> {
    let (to_decoder, compressed) = mpsc::channel(MAX_BUFFERED_CHUNKS);
    let (to_reader, decoded) = mpsc::channel(MAX_BUFFERED_CHUNKS);
    tokio::spawn(send(chunks, to_decoder));
    tokio::task::spawn_blocking(move || {
        let input = Chunks {
            receiver: compressed,
            chunk: Bytes::new(),
        };
        // The reader may be gone; ignore the failure to send.
        let _ = match decode(compression, input, &to_reader) {
            Ok(()) => to_reader.blocking_send(Ok(None)),
            Err(error) => to_reader.blocking_send(Err(error.into())),
        };
    });
    let lost = || exec_datafusion_err!("the decompression was interrupted");
    let messages = stream::unfold(Some(decoded), move |decoded| async move {
        let mut decoded = decoded?;
        Some(match decoded.recv().await {
            Some(Ok(Some(chunk))) => (Ok(Some(chunk)), Some(decoded)),
            Some(end) => (end, None),
            None => (Err(lost()), None),
        })
    });
    messages
        .try_filter_map(|chunk| future::ready(Ok(chunk)))
        .boxed()
}

async fn send(mut chunks: BoxStream<'static, Result<Bytes>>, decoder: Sender<Result<Bytes>>) {
    while let Some(chunk) = chunks.next().await {
        if decoder.send(chunk).await.is_err() {
            return;
        }
    }
}

fn decode(compression: Compression, input: Chunks, reader: &Sender<Decoded>) -> io::Result<()> {
    let mut decoder = compression.decoder(input)?;
    loop {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let limit = CHUNK_BYTES as u64;
        (&mut decoder).take(limit).read_to_end(&mut chunk)?;
        if chunk.is_empty() || reader.blocking_send(Ok(Some(chunk.into()))).is_err() {
            return Ok(());
        }
    }
}

/// Reads chunks as one continuous file.
struct Chunks {
    receiver: Receiver<Result<Bytes>>,
    chunk: Bytes,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.receiver.blocking_recv() {
                Some(chunk) => self.chunk = chunk.map_err(io::Error::other)?,
                None => return Ok(0),
            }
        }
        let length = buffer.len().min(self.chunk.len());
        buffer[..length].copy_from_slice(&self.chunk[..length]);
        self.chunk.advance(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Vec<u8> {
        let member = |text: &[u8]| zstd::encode_all(text, 3).unwrap();
        [member(b"a,b\n"), member(b"1,2\n")].concat()
    }

    fn in_chunks(data: &[u8], size: usize) -> BoxStream<'static, Result<Bytes>> {
        let chunks: Vec<_> = data.chunks(size).map(Bytes::copy_from_slice).collect();
        stream::iter(chunks.into_iter().map(Ok)).boxed()
    }

    #[tokio::test]
    async fn all_members_of_a_stream_are_decompressed() {
        for size in [1, 7, 1000] {
            let chunks = inflate(Compression::Zstd, in_chunks(&members(), size));
            let text: Vec<Bytes> = chunks.try_collect().await.unwrap();
            assert_eq!(text.concat(), b"a,b\n1,2\n");
        }
    }

    #[tokio::test]
    async fn a_cut_stream_is_an_error() {
        let members = members();
        let cut = &members[..members.len() - 5];
        let chunks = inflate(Compression::Zstd, in_chunks(cut, 9));
        assert!(chunks.try_collect::<Vec<Bytes>>().await.is_err());
    }

    #[tokio::test]
    async fn an_error_of_the_transfer_is_passed_on() {
        let lost = stream::iter([Err(exec_datafusion_err!("connection lost"))]);
        let chunks = in_chunks(&members()[..20], 20).chain(lost).boxed();
        let error = inflate(Compression::Zstd, chunks)
            .try_collect::<Vec<Bytes>>()
            .await
            .unwrap_err();
        assert!(error.to_string().contains("connection lost"), "{error}");
    }
}
