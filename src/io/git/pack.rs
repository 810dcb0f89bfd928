//! Packs: files of many objects, each compressed whole or as its difference from another one.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::GitError;
use super::object::{MAX_OBJECT_BYTES, Object, ObjectKind, Objects};
use super::oid::Oid;

/// How long a chain of differences may be; git's own bound is 4095 and its usual depth 50.
const MAX_DEPTH: usize = 128;

/// The size of the header and of the table of first bytes in an index.
const TABLES_START: u64 = 8 + 256 * 4;

const DAMAGED: GitError = GitError::Malformed("a pack");

/// A pack with its index.
#[derive(Debug)]
pub(super) struct Pack {
    index: File,
    data: File,
    /// The number of objects.
    count: u64,
}

/// How an entry of a pack is stored.
enum Entry {
    Whole(ObjectKind),
    OffsetDelta(u64),
    NameDelta(Oid),
}

impl Pack {
    /// Opens the pack of an index, which is a file of the version that git has written since 2008.
    pub(super) fn open(index_path: &Path) -> Result<Self, GitError> {
        let index = open_file(index_path)?;
        let data = open_file(&index_path.with_extension("pack"))?;
        if read_array(&index, 0)? != *b"\xfftOc\0\0\0\x02" {
            return Err(GitError::Unsupported("this version of pack indexes"));
        }
        let count = u64::from(u32::from_be_bytes(read_array(&index, TABLES_START - 4)?));
        Ok(Self { index, data, count })
    }

    /// Returns the place of an object in the pack.
    pub(super) fn find(&self, oid: Oid) -> Result<Option<u64>, GitError> {
        let at = self.first_from(oid)?;
        if at < self.count && self.name(at)? == oid { self.offset(at).map(Some) } else { Ok(None) }
    }

    /// Adds the objects whose names begin with some digits, and at most two of them.
    pub(super) fn find_abbreviated(&self, digits: &str, found: &mut Vec<Oid>) -> Result<(), GitError> {
        let Some(lowest) = Oid::parse(&format!("{digits:0<40}")) else { return Ok(()) };
        let first = self.first_from(lowest)?;
        for at in first..self.count.min(first + 2) {
            let name = self.name(at)?;
            if name.to_string().starts_with(digits) {
                found.push(name);
            }
        }
        Ok(())
    }

    /// Returns the number of the first object whose name is not below another.
    fn first_from(&self, oid: Oid) -> Result<u64, GitError> {
        let first = u64::from(*oid.as_bytes().first().unwrap_or(&0));
        let bound = |byte: u64| read_array(&self.index, 8 + byte * 4).map(|it| u64::from(u32::from_be_bytes(it)));
        let mut low = if first == 0 { 0 } else { bound(first - 1)? };
        let mut high = bound(first)?;
        if low > high || high > self.count {
            return Err(DAMAGED);
        }
        while low < high {
            let middle = low.midpoint(high);
            if self.name(middle)? < oid { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    fn name(&self, number: u64) -> Result<Oid, GitError> {
        let bytes: [u8; Oid::LENGTH] = read_array(&self.index, TABLES_START + number * Oid::LENGTH as u64)?;
        Oid::from_bytes(&bytes)
    }

    /// Returns the place of the object with a number.
    fn offset(&self, number: u64) -> Result<u64, GitError> {
        // Behind the names there is a checksum of four bytes for each object.
        let table = TABLES_START + self.count * (Oid::LENGTH as u64 + 4);
        let short = u32::from_be_bytes(read_array(&self.index, table + number * 4)?);
        if short & 0x8000_0000 == 0 {
            return Ok(u64::from(short));
        }
        let long = table + self.count * 4 + u64::from(short & 0x7fff_ffff) * 8;
        Ok(u64::from_be_bytes(read_array(&self.index, long)?))
    }

    /// Reads the object at a place.
    pub(super) fn read(&self, offset: u64, objects: &Objects<'_>) -> Result<Object, GitError> {
        let mut deltas = Vec::new();
        let mut at = offset;
        let (kind, mut bytes) = loop {
            let (entry, size, content) = self.entry(at)?;
            let bytes = self.inflate(content, size)?;
            match entry {
                Entry::Whole(kind) => break (kind, bytes),
                Entry::OffsetDelta(back) => at = at.checked_sub(back).filter(|_| back > 0).ok_or(DAMAGED)?,
                Entry::NameDelta(base) => {
                    if let Some(place) = self.find(base)? {
                        at = place;
                    } else {
                        deltas.push(bytes);
                        let base = objects.read(base)?;
                        break (base.kind, base.bytes.to_vec());
                    }
                }
            }
            deltas.push(bytes);
            if deltas.len() > MAX_DEPTH {
                return Err(GitError::Unsupported("a delta chain this long"));
            }
            objects.budget().spend(1)?;
        };
        for delta in deltas.into_iter().rev() {
            bytes = apply_delta(&bytes, &delta)?;
        }
        Ok(Object { kind, bytes: bytes.into() })
    }

    /// Reads the header of an entry: how it is stored, its size, and where its content begins.
    fn entry(&self, offset: u64) -> Result<(Entry, usize, u64), GitError> {
        let header = read_some(&self.data, offset, 64)?;
        let mut bytes = header.iter().copied();
        let mut next = || bytes.next().ok_or(DAMAGED);
        let first = next()?;
        let (mut size, mut shift, mut last) = (usize::from(first & 0x0f), 4, first);
        let mut length = 1;
        while last & 0x80 != 0 {
            last = next()?;
            length += 1;
            size |= usize::from(last & 0x7f).checked_shl(shift).filter(|_| shift < 32).ok_or(DAMAGED)?;
            shift += 7;
        }
        if size > MAX_OBJECT_BYTES {
            return Err(GitError::Unsupported("an object of this size"));
        }
        let entry = match first >> 4 & 7 {
            1 => Entry::Whole(ObjectKind::Commit),
            2 => Entry::Whole(ObjectKind::Tree),
            3 => Entry::Whole(ObjectKind::Blob),
            4 => Entry::Whole(ObjectKind::Tag),
            6 => {
                let mut last = next()?;
                length += 1;
                let mut back = u64::from(last & 0x7f);
                while last & 0x80 != 0 {
                    last = next()?;
                    length += 1;
                    back = back.checked_add(1).and_then(|back| back.checked_mul(128)).ok_or(DAMAGED)?;
                    back |= u64::from(last & 0x7f);
                }
                Entry::OffsetDelta(back)
            }
            7 => {
                let name = header.get(length..).unwrap_or_default();
                let base = Oid::from_bytes(name)?;
                length += Oid::LENGTH;
                Entry::NameDelta(base)
            }
            _ => return Err(DAMAGED),
        };
        Ok((entry, size, offset + length as u64))
    }

    /// Returns the content of known size that is compressed at a place.
    fn inflate(&self, offset: u64, size: usize) -> Result<Vec<u8>, GitError> {
        // What cannot be compressed grows by a few bytes for each block.
        let packed = read_some(&self.data, offset, size + size / 512 + 64)?;
        let bytes = decompress_to_vec_zlib_with_limit(&packed, size.max(1)).map_err(|_| DAMAGED)?;
        if bytes.len() == size { Ok(bytes) } else { Err(DAMAGED) }
    }
}

fn open_file(path: &Path) -> Result<File, GitError> {
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(DAMAGED) }
}

/// Reads as many bytes as there are at a place, and at most so many.
fn read_some(mut file: &File, offset: u64, most: usize) -> Result<Vec<u8>, GitError> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::with_capacity(most);
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_array<const N: usize>(mut file: &File, offset: u64) -> Result<[u8; N], GitError> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(offset))?;
    match file.read_exact(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(DAMAGED),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(bytes),
    }
}

/// Returns what a difference makes of a base.
fn apply_delta(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, GitError> {
    let mut rest = delta;
    let base_size = take_size(&mut rest)?;
    let size = take_size(&mut rest)?;
    if base_size != base.len() || size > MAX_OBJECT_BYTES {
        return Err(DAMAGED);
    }
    let mut result = Vec::with_capacity(size);
    while let Some(operation) = take_byte(&mut rest) {
        let part = if operation & 0x80 == 0 {
            let (inserted, behind) = rest.split_at_checked(usize::from(operation)).ok_or(DAMAGED)?;
            rest = behind;
            inserted
        } else {
            let (mut start, mut length) = (0, 0);
            for bit in 0..4 {
                if operation & 1 << bit != 0 {
                    start |= usize::from(take_byte(&mut rest).ok_or(DAMAGED)?) << (8 * bit);
                }
            }
            for bit in 0..3 {
                if operation & 0x10 << bit != 0 {
                    length |= usize::from(take_byte(&mut rest).ok_or(DAMAGED)?) << (8 * bit);
                }
            }
            let length = if length == 0 { 0x1_0000 } else { length };
            base.get(start..start.saturating_add(length)).ok_or(DAMAGED)?
        };
        if part.is_empty() || result.len() + part.len() > size {
            return Err(DAMAGED);
        }
        result.extend_from_slice(part);
    }
    if result.len() == size { Ok(result) } else { Err(DAMAGED) }
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, behind) = rest.split_first()?;
    *rest = behind;
    Some(*first)
}

fn take_size(rest: &mut &[u8]) -> Result<usize, GitError> {
    let (mut size, mut shift) = (0, 0);
    loop {
        let byte = take_byte(rest).ok_or(DAMAGED)?;
        size |= usize::from(byte & 0x7f).checked_shl(shift).filter(|_| shift < 32).ok_or(DAMAGED)?;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::apply_delta;

    #[test]
    fn differences_are_applied() {
        // Copy four bytes from place 2, then insert two.
        let delta = [6, 6, 0x80 | 0x01 | 0x10, 2, 4, 2, b'x', b'y'];
        assert_eq!(apply_delta(b"abcdef", &delta).unwrap(), b"cdefxy");
        for delta in [
            &[][..],
            &[6],
            &[5, 2, 1, b'x'],
            &[6, 1, 0],
            &[6, 9, 0x91, 2, 9],
            &[6, 1, 2, b'x', b'y'],
            &[6, 3, 1, b'x'],
            &[0xff; 16],
        ] {
            assert!(apply_delta(b"abcdef", delta).is_err(), "{delta:?}");
        }
    }
}
