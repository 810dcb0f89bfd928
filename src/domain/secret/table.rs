//! The bundled detectors: constants that were made of `policies/detectors` when the program was built.
//!
//! The program that builds them uses the modules around this one too; it has no table yet.

use super::{detector::Detector, keyword::Keywords};

#[cfg(bundled_detectors)]
#[expect(clippy::unreadable_literal, reason = "these are tables that nobody reads")]
mod made {
    use crate::domain::secret::{
        builtin::Builtin,
        check::Check,
        detector::{Detector, Expression, Severity, Shape, Tier},
        entry::{Ends, Lookalike},
        expression::Table,
        keyword::{Aligned, Keywords, Output},
    };

    include!(concat!(env!("OUT_DIR"), "/detectors.rs"));
}

#[cfg(not(bundled_detectors))]
mod made {
    use crate::domain::secret::{detector::Detector, keyword::Keywords};

    pub(super) static DETECTORS: [Detector; 0] = [];
    pub(super) static KEYWORDS: Keywords<'static> =
        Keywords { columns: &[0; 256], next: &[], ending: u16::MAX, outputs_at: &[], outputs: &[], longest: 0 };
}

/// All detectors that come with the program.
pub static DETECTORS: &[Detector] = &made::DETECTORS;

/// The automaton of their keywords.
pub(super) static KEYWORDS: &Keywords<'static> = &made::KEYWORDS;
