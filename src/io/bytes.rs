//! Bytes of a size that nobody knows before they are read.

use std::io::{self, Read};
use std::ops::Deref;

use memmap2::MmapMut;

use super::platform;
use super::stdio::MOST_BYTES;

/// Bytes from which on memory is asked for in large pages: to be given it page by page takes as long as to read them.
const LARGE: usize = 256 << 10;

/// What was read.
#[derive(Debug)]
pub enum Bytes {
    /// Little.
    Few(Vec<u8>),
    /// Much: memory of its own, and how much of it is filled.
    Many(MmapMut, usize),
}

impl Bytes {
    /// Reads to the end, or one byte beyond [`MOST_BYTES`]. `hurry` is called when it becomes much.
    ///
    /// # Errors
    /// Returns the reader's.
    pub(super) fn read(source: &mut impl Read, hurry: impl FnOnce()) -> io::Result<Self> {
        let mut few = Vec::new();
        source.take(LARGE as u64).read_to_end(&mut few)?;
        if few.len() < LARGE {
            return Ok(Self::Few(few));
        }
        hurry();
        let most = usize::try_from(MOST_BYTES).unwrap_or(usize::MAX).saturating_add(1);
        let Some(mut many) = platform::large_pages(most) else {
            source.take((most - LARGE) as u64).read_to_end(&mut few)?;
            return Ok(Self::Few(few));
        };
        let (head, mut rest) = many.split_at_mut(LARGE);
        head.copy_from_slice(&few);
        drop(few);
        let mut filled = LARGE;
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
        Ok(Self::Many(many, filled))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Few(bytes) => bytes,
            Self::Many(bytes, filled) => bytes.get(..*filled).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Bytes, LARGE, MOST_BYTES};

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
        for size in [0, 1, LARGE - 1, LARGE, LARGE + 1, 3 * LARGE + 77] {
            let bytes: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
            assert!(*Bytes::read(&mut Pieces(bytes.as_slice()), || ()).unwrap() == *bytes, "{size}");
        }
    }

    #[test]
    fn what_never_ends_is_left_behind_one_byte() {
        let read = Bytes::read(&mut std::io::repeat(b'x'), || ()).unwrap();
        assert_eq!(read.len() as u64, MOST_BYTES + 1);
        assert!(read.iter().all(|byte| *byte == b'x'));
    }
}
