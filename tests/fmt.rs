//! `ruleward fmt`, as a person and a pipeline use it.

use crate::common::{Machine, output_text};

const POLICY: &str = "version: 1\nrules:\n    - then: { deny: 'No.' }\n      when: tool.before   # before\n      id: a\n      command: make\n    # The second.\n    - id: b\n      when: any\n      then: { audit: x }\n";

#[test]
fn policies_are_laid_out_or_left_alone() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", POLICY);
    machine.write("project/more/broken.yaml", "a: [\n");
    machine.write("project/more/b.yml", "a:   1\n");
    let mut runs = Vec::new();
    for args in [&["fmt", "--check"][..], &["fmt"], &["fmt", "--check"], &["fmt", "more"], &["lint"]] {
        runs.push((args.join(" "), machine.run(args, b"")));
    }
    let text: String = runs
        .iter()
        .flat_map(|(label, ran)| ["$ ruleward ", label, "\n", &output_text(&machine, ran), "\n"].map(ToOwned::to_owned))
        .collect();
    insta::assert_snapshot!("fmt", text);
    assert_eq!(machine.read("project/more/broken.yaml").unwrap(), "a: [\n");
    assert_eq!(machine.read("project/more/b.yml").unwrap(), "a: 1\n");
    let check = machine.shell_payload("claude", "make");
    assert!(machine.run(&["hook", "claude"], &check).stdout.contains("deny"));
}
