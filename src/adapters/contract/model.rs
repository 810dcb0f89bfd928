//! How a host encodes a conversation with the model.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::PayloadFields;
use crate::domain::event::ModelCall;
use crate::domain::verdict::Proposal;

/// How a host encodes a conversation with the model.
#[derive(Debug)]
pub struct ModelFormat {
    /// The key of the request in the payload.
    pub request_key: &'static str,
    /// The key of the model's answer in the payload.
    pub response_key: &'static str,
    /// Reads a call of the model.
    pub(in crate::adapters) read: fn(&PayloadFields) -> ModelCall<'_>,
    /// Returns a request that consists of one prompt.
    pub(in crate::adapters) compose_request: fn(&str) -> Value,
    /// Returns an answer of the model.
    pub(in crate::adapters) compose_response: fn(&str) -> Value,
    /// Returns the request of a call that another host reports.
    pub(in crate::adapters) encode_request: fn(&ModelCall<'_>) -> Value,
    /// Returns the whole request with the proposed fields; `None` when nothing changes.
    pub(in crate::adapters) rewrite_request: RewriteRequest,
}

/// Changes the fields of a request for which there are proposals.
type RewriteRequest = fn(&Map<String, Value>, &BTreeMap<String, Vec<Proposal>>) -> Option<Map<String, Value>>;
