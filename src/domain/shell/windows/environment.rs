//! Variables of the environment of Windows whose values are known from their names. This file is a table.

/// The names, in upper case, and what they represent.
const KNOWN: &[(&str, &str)] = &[
    ("USERPROFILE", "~"),
    ("HOME", "~"),
    ("HOMEDRIVE", "C:"),
    ("HOMEPATH", "/Users/$USERNAME"),
    ("APPDATA", "~/AppData/Roaming"),
    ("LOCALAPPDATA", "~/AppData/Local"),
    ("TEMP", "~/AppData/Local/Temp"),
    ("TMP", "~/AppData/Local/Temp"),
    ("ONEDRIVE", "~/OneDrive"),
    ("PUBLIC", "C:/Users/Public"),
    ("ALLUSERSPROFILE", "C:/ProgramData"),
    ("PROGRAMDATA", "C:/ProgramData"),
    ("PROGRAMFILES", "C:/Program Files"),
    ("PROGRAMFILES(X86)", "C:/Program Files (x86)"),
    ("PROGRAMW6432", "C:/Program Files"),
    ("COMMONPROGRAMFILES", "C:/Program Files/Common Files"),
    ("SYSTEMDRIVE", "C:"),
    ("SYSTEMROOT", "C:/Windows"),
    ("WINDIR", "C:/Windows"),
    ("COMSPEC", "C:/Windows/System32/cmd.exe"),
];

/// Returns the value of a variable, which may be compared without regard to case.
pub(super) fn known_value(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
}
