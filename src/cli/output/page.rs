//! HTML pages: everything in one file, and nothing that could be asked of the network.
//!
//! Every text may have been written by a stranger. Templates escape all that is filled in, and a page's own policy
//! lets no other script or style run than those that are in it.

use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::cli::CommandError;
use crate::domain::text::encoding::encode_base64;

/// The style of every page.
pub(in crate::cli) const STYLE: &str = include_str!("page.css");

/// Fills in a template.
///
/// # Errors
/// Returns that the program was built wrongly.
pub(in crate::cli) fn render(template: &str, values: impl Serialize) -> Result<String, CommandError> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    let failed = |error: minijinja::Error| CommandError::Internal(format!("the report could not be created: {error}"));
    environment.add_template("page", template).map_err(failed)?;
    let values = serde_json::to_value(values).map_err(|error| CommandError::Internal(error.to_string()))?;
    let page = environment.get_template("page").map_err(failed)?;
    page.render(minijinja::Value::from(Serde(values))).map_err(failed)
}

/// Returns what a browser knows a script or a style by.
pub(in crate::cli) fn csp_hash(text: &str) -> String {
    format!("sha256-{}", encode_base64(&Sha256::digest(text)))
}
