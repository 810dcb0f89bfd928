//! Bytes of a size that nobody knows before they are read.

use std::io::{self, Read};
use std::ops::Deref;

use memmap2::MmapMut;

use super::stdio::MAX_PAYLOAD_BYTES;
use crate::io::platform::stdio::map_large_pages;

/// Bytes from which on memory is asked for in large pages: to be given it page by page takes as long as to read them.
const LARGE_PAGE_THRESHOLD: usize = 256 << 10;

/// What was read.
#[derive(Debug)]
pub enum PayloadBytes {
    /// Little.
    Heap(Vec<u8>),
    /// Much: memory of its own, and how much of it is filled.
    Mapped(MmapMut, usize),
}

impl PayloadBytes {
    /// Reads to the end, or one byte beyond [`MAX_PAYLOAD_BYTES`]. `hurry` is called when it becomes much.
    ///
    /// # Errors
    /// Returns the reader's.
    pub(super) fn read(source: &mut impl Read, hurry: impl FnOnce()) -> io::Result<Self> {
        let mut few = Vec::new();
        source.take(LARGE_PAGE_THRESHOLD as u64).read_to_end(&mut few)?;
        if few.len() < LARGE_PAGE_THRESHOLD {
            return Ok(Self::Heap(few));
        }
        hurry();
        let most = usize::try_from(MAX_PAYLOAD_BYTES).unwrap_or(usize::MAX).saturating_add(1);
        let Some(mut many) = map_large_pages(most) else {
            source.take((most - LARGE_PAGE_THRESHOLD) as u64).read_to_end(&mut few)?;
            return Ok(Self::Heap(few));
        };
        let (head, mut rest) = many.split_at_mut(LARGE_PAGE_THRESHOLD);
        head.copy_from_slice(&few);
        drop(few);
        let mut filled = LARGE_PAGE_THRESHOLD;
        while !rest.is_empty() {
            match source.read(rest) {
                Ok(0) => break,
                Ok(read) => {
                    filled += read;
                    rest = rest.get_mut(read..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self::Mapped(many, filled))
    }
}

impl Deref for PayloadBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes, filled) => bytes.get(..*filled).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{LARGE_PAGE_THRESHOLD, MAX_PAYLOAD_BYTES, PayloadBytes};

    /// Gives what is read in pieces of odd lengths.
    struct Pieces<R>(R);

    impl<R: Read> Read for Pieces<R> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let most = into.len().min(70_001);
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn all_is_read_whatever_its_size() {
        for size in [
            0,
            1,
            LARGE_PAGE_THRESHOLD - 1,
            LARGE_PAGE_THRESHOLD,
            LARGE_PAGE_THRESHOLD + 1,
            3 * LARGE_PAGE_THRESHOLD + 77,
        ] {
            let bytes: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
            assert!(*PayloadBytes::read(&mut Pieces(bytes.as_slice()), || ()).unwrap() == *bytes, "{size}");
        }
    }

    #[test]
    fn what_never_ends_is_left_behind_one_byte() {
        let read = PayloadBytes::read(&mut std::io::repeat(b'x'), || ()).unwrap();
        assert_eq!(read.len() as u64, MAX_PAYLOAD_BYTES + 1);
        assert!(read.iter().all(|byte| *byte == b'x'));
    }
}
