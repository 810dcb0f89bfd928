//! Names of the tools of tool servers, where a host spells them `mcp__<server>__<tool>`.

/// Returns the server and the tool in `mcp__<server>__<tool>`. The host may name the server separately,
/// since either name may contain the separator.
pub(in crate::adapters) fn parse_mcp_name(name: &str, server: Option<&str>) -> Option<(String, String)> {
    let rest = name.strip_prefix("mcp__")?;
    let by_server = server.and_then(|server| Some((server, rest.strip_prefix(server)?.strip_prefix("__")?)));
    let (server, tool) = by_server.or_else(|| rest.split_once("__")).unwrap_or((rest, ""));
    Some((server.to_owned(), tool.to_owned()))
}

/// Returns the name that such a host gives the tool of a server.
pub(in crate::adapters) fn mcp_tool_name(server: &str, tool: &str) -> String {
    format!("mcp__{server}__{tool}")
}
