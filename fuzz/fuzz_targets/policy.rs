//! Any text as a policy file: read, or refused with mistakes that can be shown.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ruleward::domain::policy::Layer;
use ruleward::io::policy::code::Code;
use ruleward::io::policy::diagnostic::Source;
use ruleward::io::policy::gather::{Opened, Shelf, Unavailable, gather};

struct Nothing;

impl Shelf for Nothing {
    fn open(&self, _: &Source, name: &str) -> Result<Opened, Unavailable> {
        Err(Unavailable { code: Code::UnknownExtends, message: format!("there is no `{name}`"), help: None })
    }
}

fuzz_target!(|text: &str| {
    let gathered = gather(&[Source::new("policy.yaml", text)], Layer::User, &Nothing, &[]);
    for diagnostic in &gathered.diagnostics {
        let _shown = (diagnostic.render(false), diagnostic.to_string());
    }
});
