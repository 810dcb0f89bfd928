//! A policy file that cannot be used: the person's, the project's, and one that another extends.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{DROP_ROOT, HARMFUL, HARMLESS, HOSTS, assert_refused, make_fifo, run};
use crate::common::{Machine, output_text, reason, refuses};

/// Puts something in the place of each policy in turn; everything is refused, for a reason in which this stands.
fn assert_refused_for_policy(why: &str, put: impl Fn(&Path)) {
    for place in [".config/ruleward/policy.yaml", "project/.ruleward/policy.yaml", ".config/ruleward/more.yaml"] {
        let machine = Machine::new();
        let path = machine.home().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if place.ends_with("more.yaml") {
            machine.write(".config/ruleward/policy.yaml", "version: 1\nextends: [./more.yaml]\n");
        }
        put(&path);
        assert_refused(&machine, HARMLESS, why);
        assert_refused(&machine, HARMLESS, path.file_name().unwrap().to_str().unwrap());
    }
}

#[test]
fn a_policy_that_may_not_be_read() {
    let machine = Machine::new();
    let path = machine.write(".config/ruleward/policy.yaml", "version: 1\n");
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    for host in HOSTS {
        let ran = run(machine.command_with_prelude(DROP_ROOT, &["hook", host]), &machine.shell_payload(host, HARMLESS));
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert!(reason(host, &ran).contains("no permission to read"), "{}", reason(host, &ran));
    }
}

#[test]
fn a_policy_in_a_directory_that_may_not_be_entered() {
    for place in [".config/ruleward", "project/.ruleward"] {
        let machine = Machine::new();
        let path = machine.write(&format!("{place}/policy.yaml"), "version: 1\n");
        let mode = |mode| {
            let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
            fs::set_permissions(path.parent().unwrap(), permissions).unwrap();
        };
        for host in HOSTS {
            let call = |command| {
                run(machine.command_with_prelude(DROP_ROOT, &["hook", host]), &machine.shell_payload(host, command))
            };
            mode(0o600);
            let ran = call(HARMLESS);
            assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
            assert!(reason(host, &ran).contains("no permission to read"), "{}", reason(host, &ran));
            // One that may be entered and not listed.
            mode(0o300);
            assert_eq!(call(HARMLESS).stdout, "");
            assert!(refuses(host, &call(HARMFUL)));
        }
        mode(0o700);
    }
}

#[test]
fn a_policy_that_is_cut_off() {
    let text = "version: 1\nrules:\n  - id: a\n    when: tool.before\n    then: { deny: \"No.\" }\n";
    // Where a cut leaves a policy that is whole, but for what was cut off, nothing can tell.
    for end in [3, 12, 20, 25, 40, 60, text.len() - 4] {
        assert_refused_for_policy("", |path| fs::write(path, &text[..end]).unwrap());
    }
}

#[test]
fn a_policy_that_is_a_directory() {
    assert_refused_for_policy("found a directory", |path| fs::create_dir(path).unwrap());
}

#[test]
fn a_policy_that_is_a_pipe() {
    assert_refused_for_policy("found a device or a pipe", make_fifo);
}

#[test]
fn a_policy_that_is_a_device() {
    let machine = Machine::new();
    let path = machine.home().join(".config/ruleward/policy.yaml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink("/dev/zero", &path).unwrap();
    assert_refused(&machine, HARMLESS, "found a device or a pipe");
}

#[test]
fn a_policy_that_is_a_link_to_itself() {
    assert_refused_for_policy("cannot be read", |path| symlink(path, path).unwrap());
}

#[test]
fn a_policy_that_is_a_link_to_nothing() {
    assert_refused_for_policy("there is no such file", |path| symlink("nowhere.yaml", path).unwrap());
}

#[test]
fn a_policy_of_a_hundred_megabytes() {
    assert_refused_for_policy("larger than 4194304 bytes", |path| {
        fs::File::create(path).unwrap().set_len(100 << 20).unwrap();
    });
}

#[test]
fn a_policy_that_is_no_text() {
    assert_refused_for_policy("not UTF-8", |path| fs::write(path, b"version: 1\n# \xff\n").unwrap());
}

#[test]
fn a_policy_that_is_gone_from_the_command_line() {
    let machine = Machine::new();
    for host in HOSTS {
        let ran =
            run(machine.command(&["hook", host, "--policy", "gone.yaml"]), &machine.shell_payload(host, HARMLESS));
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert!(reason(host, &ran).contains("gone.yaml"), "{}", reason(host, &ran));
    }
}
