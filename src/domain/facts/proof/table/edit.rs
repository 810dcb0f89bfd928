//! The table of programs that write files of the project without losing anything.

use super::super::Effect;
use super::super::row::{Operands, Row, row};
use Operands::{Copied, Created, Written};

pub(super) const ROWS: &[Row] = &[
    row("mkdir gmkdir", "-p -v --parents --verbose", Created, "{} -p src/new", "{} -m 777 /tmp/x")
        .with_effect(Effect::Edit),
    row("touch gtouch", "", Written, "{} src/new.txt", "{} notes.txt").with_effect(Effect::Edit),
    row("tee gtee", "-a -i --append --ignore-interrupts", Written, "{} src/new.txt", "{} notes.txt")
        .with_effect(Effect::Edit),
    row("cp gcp", "-v -n --verbose --no-clobber", Copied, "{} a.txt src/new.txt", "{} -r src docs")
        .with_effect(Effect::Edit),
];
