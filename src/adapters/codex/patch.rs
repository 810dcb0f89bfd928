//! Patches of Codex's `apply_patch`, as the files that they change.
//!
//! ```text
//! *** Begin Patch
//! *** Add File: new.txt
//! +a line
//! *** Update File: a.txt
//! *** Move to: b.txt
//! @@
//! -old
//! +new
//! *** Delete File: c.txt
//! *** End Patch
//! ```

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileChange {
    /// Creates it.
    Add { path: String, content: String },
    /// Replaces lines of it.
    Update { path: String, removed: String, added: String },
    /// Moves it.
    Move { from: String, to: String },
    /// Deletes it.
    Delete { path: String },
}

/// Returns what a patch does, in order.
pub(super) fn file_changes(patch: &str) -> Vec<FileChange> {
    let mut changes: Vec<FileChange> = Vec::new();
    for line in patch.lines() {
        let line = line.trim_end_matches('\r');
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            changes.push(FileChange::Add { path: path.trim().to_owned(), content: String::new() });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            changes.push(FileChange::Delete { path: path.trim().to_owned() });
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            let (removed, added) = (String::new(), String::new());
            changes.push(FileChange::Update { path: path.trim().to_owned(), removed, added });
        } else if let Some(to) = line.strip_prefix("*** Move to: ") {
            if let Some(FileChange::Update { path, .. }) = changes.last() {
                let from = path.clone();
                let before = changes.len() - 1;
                changes.insert(before, FileChange::Move { from, to: to.trim().to_owned() });
            }
        } else {
            match (changes.last_mut(), line.split_at_checked(1)) {
                (
                    Some(FileChange::Add { content: text, .. } | FileChange::Update { added: text, .. }),
                    Some(("+", rest)),
                )
                | (Some(FileChange::Update { removed: text, .. }), Some(("-", rest))) => {
                    text.push_str(rest);
                    text.push('\n');
                }
                _ => {}
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::{FileChange, file_changes};

    #[test]
    fn each_section_is_a_change() {
        let patch = "*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n*** Update File: a.txt\n*** Move to: b.txt\n@@ fn\n same\n-old\n+new\n*** Delete File: dir/c.txt\n*** End Patch\n";
        let text = |text: &str| text.to_owned();
        let wanted = [
            FileChange::Add { path: text("new.txt"), content: text("one\ntwo\n") },
            FileChange::Move { from: text("a.txt"), to: text("b.txt") },
            FileChange::Update { path: text("a.txt"), removed: text("old\n"), added: text("new\n") },
            FileChange::Delete { path: text("dir/c.txt") },
        ];
        assert_eq!(file_changes(patch), wanted);
        assert_eq!(file_changes("no patch\n+x"), []);
    }
}
