//! Whether a change of registrations takes something away that holds before it.

use serde_json::Value;

use super::ruleward_calls;

/// A call of the hook: the event, and the words of its command line.
type Call = (String, Vec<String>);

/// Returns whether every call of the hook for a host that `before` has is in `after`, too: then the change relaxes
/// nothing. Both are settings, or the hooks of an extension.
pub fn keeps_all_calls(before: &Value, after: &Value, host: &str) -> bool {
    let kept = calls(after, host);
    calls(before, host).iter().all(|call| kept.contains(call))
}

fn calls(settings: &Value, host: &str) -> Vec<Call> {
    let events = settings.get("hooks").and_then(Value::as_object).into_iter().flatten();
    let mut found = Vec::new();
    for (event, groups) in events {
        let groups = groups.as_array().into_iter().flatten();
        let entries = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
        let words = entries.flat_map(ruleward_calls).filter(|words| words.get(2).is_some_and(|name| name == host));
        found.extend(words.map(|words| (event.clone(), words)));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::keeps_all_calls;

    fn settings(events: &[(&str, &[&str])]) -> Value {
        let mut hooks = serde_json::Map::new();
        for (event, args) in events {
            let args: Vec<&str> = ["hook", "claude"].iter().chain(*args).copied().collect();
            let entry = json!({ "type": "command", "command": "/bin/ruleward", "args": args });
            hooks.insert((*event).to_owned(), json!([{ "hooks": [entry] }]));
        }
        json!({ "hooks": hooks })
    }

    #[test]
    fn only_additions_keep_all() {
        let one = settings(&[("PreToolUse", &[])]);
        let two = settings(&[("PreToolUse", &[]), ("Stop", &[])]);
        let weak = settings(&[("PreToolUse", &["--policy", "/x.yaml"])]);
        assert!(keeps_all_calls(&json!({}), &weak, "claude"), "nothing was registered");
        assert!(keeps_all_calls(&one, &one, "claude"));
        assert!(keeps_all_calls(&one, &two, "claude"));
        assert!(!keeps_all_calls(&two, &one, "claude"), "an event less");
        assert!(!keeps_all_calls(&one, &weak, "claude"), "another policy");
        assert!(!keeps_all_calls(&one, &json!({}), "claude"));
        let shell = json!({ "hooks": { "BeforeTool": [{ "hooks": [{ "command": "/bin/ruleward hook gemini" }] }] } });
        let other = json!({ "hooks": { "BeforeTool": [{ "hooks": [{ "command": "/tmp/ruleward hook gemini" }] }] } });
        assert!(!keeps_all_calls(&shell, &other, "gemini"), "another program");
    }
}
