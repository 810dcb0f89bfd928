//! The published JSON Schemas of policy files and of test files, for editors.

/// The schema of policy files, as it is published.
pub const POLICY_SCHEMA: &str = include_str!("../../../schema/policy.schema.json");

/// The schema of test files, as it is published.
pub const SUITE_SCHEMA: &str = include_str!("../../../schema/suite.schema.json");
