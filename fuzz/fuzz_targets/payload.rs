//! Any bytes as a payload of every host: read and answered, or refused, and never a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ruleward::adapters::{HOSTS, Manner, parse, read};
use ruleward::domain::policy::AskFallback;
use ruleward::domain::tool::Arguments;
use ruleward::domain::verdict::Verdict;

fuzz_target!(|bytes: &[u8]| {
    let Ok(payload) = parse(bytes) else { return };
    for host in HOSTS {
        if let Ok(event) = read(host, &payload, &Arguments::default()) {
            let manner = Manner { interactive: false, ask_fallback: AskFallback::Deny, version: None };
            let _answer = host.answer(&event, Verdict::default(), manner);
        }
    }
});
