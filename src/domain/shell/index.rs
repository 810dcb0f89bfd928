//! Indexes of tables by name, computed by the compiler: a lookup of a program compares only its own row and not all
//! rows.

/// Makes the index of a table of rows, of which one field holds names that a byte separates.
macro_rules! index_of {
    ($table:ident, $field:ident, $separator:literal) => {
        #[expect(clippy::indexing_slicing, reason = "it is worked out by the compiler")]
        const NAMES: [&str; $table.len()] = {
            let (mut names, mut row) = ([""; $table.len()], 0);
            while row < $table.len() {
                names[row] = $table[row].$field;
                row += 1;
            }
            names
        };

        static INDEX: $crate::domain::shell::index::Index<
            { $crate::domain::shell::index::count_names(&NAMES, $separator) },
        > = $crate::domain::shell::index::Index::new(&NAMES, $separator);
    };
}

pub(super) use index_of;

/// The hash of no bytes: FNV-1a.
const FNV_OFFSET_BASIS: u32 = 0x811c_9dc5;

/// The rows of a table by the hashes of their names, in order.
#[derive(Debug)]
pub(super) struct Index<const NAMES: usize>([(u32, u16); NAMES]);

/// Returns how many names are in lists that a byte separates.
#[expect(clippy::indexing_slicing, reason = "it is worked out by the compiler")]
pub(super) const fn count_names(lists: &[&str], separator: u8) -> usize {
    let (mut count, mut row) = (0, 0);
    while row < lists.len() {
        let mut text = lists[row].as_bytes();
        count += 1;
        while let [byte, rest @ ..] = text {
            count += (*byte == separator) as usize;
            text = rest;
        }
        row += 1;
    }
    count
}

impl<const NAMES: usize> Index<NAMES> {
    /// Returns the index of a table with these names in its rows; for one name the first row comes first.
    #[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "it is worked out by the compiler")]
    pub(super) const fn new(lists: &[&str], separator: u8) -> Self {
        let mut sorted = [(0, 0); NAMES];
        let (mut count, mut row) = (0, 0);
        while row < lists.len() {
            let text = lists[row].as_bytes();
            let (mut hash, mut at) = (FNV_OFFSET_BASIS, 0);
            while at <= text.len() {
                if at == text.len() || text[at] == separator {
                    let mut place = count;
                    while place > 0 && sorted[place - 1].0 > hash {
                        sorted[place] = sorted[place - 1];
                        place -= 1;
                    }
                    sorted[place] = (hash, row as u16);
                    count += 1;
                    hash = FNV_OFFSET_BASIS;
                } else {
                    hash = fnv_step(hash, text[at]);
                }
                at += 1;
            }
            row += 1;
        }
        Self(sorted)
    }

    /// Returns the rows that may have the name, in the order of the table: another name can have its hash.
    pub(super) fn rows(&self, name: &str) -> impl Iterator<Item = usize> {
        let hash = name.bytes().fold(FNV_OFFSET_BASIS, fnv_step);
        let from = self.0.partition_point(|(other, _)| *other < hash);
        let same = self.0.get(from..).unwrap_or_default().iter().take_while(move |(other, _)| *other == hash);
        same.map(|(_, row)| usize::from(*row))
    }
}

const fn fnv_step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

#[cfg(test)]
mod tests {
    use super::{Index, count_names};

    const LISTS: &[&str] = &["rm rmdir", "cat", "", "rm"];
    static INDEX: Index<{ count_names(LISTS, b' ') }> = Index::new(LISTS, b' ');

    #[test]
    fn rows_are_found_by_each_of_their_names() {
        for (name, rows) in [("rm", vec![0, 3]), ("rmdir", vec![0]), ("cat", vec![1]), ("", vec![2]), ("ls", vec![])] {
            assert_eq!(INDEX.rows(name).collect::<Vec<_>>(), rows, "{name}");
        }
    }
}
