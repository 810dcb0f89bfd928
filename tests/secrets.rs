//! Secrets are found: the examples of every detector, their surroundings, and the search as a whole.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use ruleward::domain::secret::spec::DetectorSpec;
use ruleward::domain::secret::{
    CustomDetectors, DETECTORS, Detector, Finding, Redacted, Tier, redact, scan, scan_with,
};
use ruleward::io::policy::detectors::read_files;
use ruleward::io::policy::diagnostic::SourceText;

/// The entries as they are written.
fn entries() -> &'static [DetectorSpec] {
    static ENTRIES: OnceLock<Vec<DetectorSpec>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("policies/detectors");
        let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let source = |path: &PathBuf| SourceText::new(path.display().to_string(), fs::read_to_string(path).unwrap());
        read_files(&paths.iter().map(source).collect::<Vec<_>>()).unwrap()
    })
}

/// An example without the marks that keep scanners from taking it for a leak.
fn plain(example: &str) -> String {
    example.replace('¦', "")
}

/// The first example of a detector.
fn sample(id: &str) -> String {
    plain(&entries().iter().find(|entry| entry.id == id).unwrap().examples.secret[0])
}

const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A source of numbers that look random and are the same in every run.
struct SeededRng(u64);

impl SeededRng {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap()
    }

    fn text(&mut self, alphabet: &[u8], len: usize) -> String {
        (0..len).map(|_| char::from(alphabet[self.next() % alphabet.len()])).collect()
    }
}

fn detector(id: &str) -> &'static Detector {
    DETECTORS.iter().find(|detector| detector.id == id).unwrap()
}

fn scan_all(text: &str) -> Vec<Finding> {
    scan(text, |_| true)
}

fn ids(text: &str) -> Vec<&'static str> {
    scan_all(text).iter().map(|finding| finding.detector.id).collect()
}

/// The value that the detector alone finds in its own sample.
fn value(detector: &Detector) -> String {
    let sample = sample(detector.id);
    let found = scan(&sample, |row| row.id == detector.id);
    assert_eq!(found.len(), 1, "{} in {sample}", detector.id);
    sample[found[0].span.clone()].to_owned()
}

fn checksum_base62(body: &str) -> String {
    let mut rest = crc32(body.as_bytes()) as usize;
    let mut digits = vec![b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[rest % 62];
        rest /= 62;
    }
    String::from_utf8(digits).unwrap()
}

/// Written a second time, by a table, so that the two can be compared.
fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> =
        (0..256).map(|n| (0..8).fold(n, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })).collect();
    !bytes.iter().fold(!0, |crc, byte| table[((crc ^ u32::from(*byte)) & 255) as usize] ^ (crc >> 8))
}

/// A key block with line ends as given. The body begins like a PKCS 1 key of 1,190 bytes.
fn key_block(line_end: &str) -> String {
    let body = format!("MIIEogIBAAKCAQEA{}", SeededRng(7).text(BASE64, 1_572));
    let lines: Vec<&str> = body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let kind = "RSA PRIVATE KEY-----";
    format!("-----BEGIN {kind}{line_end}{}{line_end}-----END {kind}", lines.join(line_end))
}

#[test]
fn every_example_is_judged_right() {
    let mut wrong = Vec::new();
    for (entry, row) in entries().iter().zip(DETECTORS) {
        assert_eq!(entry.id, row.id);
        assert!(!entry.examples.secret.is_empty(), "{} has no example", entry.id);
        for text in entry.examples.secret.iter().map(|text| plain(text)) {
            let found = scan(&text, |other| other.id == row.id);
            if found.len() != 1 {
                wrong.push(format!("{}: {} findings in {text}", row.id, found.len()));
            }
            // Among all rows the value belongs to its own, or to one that proves it better.
            let all = scan_all(&text);
            let best = found.first().and_then(|one| {
                all.iter().find(|other| other.span.start < one.span.end && one.span.start < other.span.end)
            });
            if found
                .first()
                .is_some_and(|one| best.is_none_or(|best| best.detector.id != row.id && best.tier <= one.tier))
            {
                wrong.push(format!("{}: taken by {:?} in {text}", row.id, best.map(|best| best.detector.id)));
            }
        }
        for text in entry.examples.pass.iter().map(|text| plain(text)) {
            if !scan(&text, |other| other.id == row.id).is_empty() {
                wrong.push(format!("{}: found in {text}", row.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn samples_crossed_out_are_placeholders() {
    for row in DETECTORS {
        let value = value(row);
        for stand_in in ["x", "0", "*"] {
            let crossed =
                |sign: char| if sign.is_ascii_alphanumeric() { stand_in.to_owned() } else { sign.to_string() };
            let tail: String = value.chars().skip(12).map(crossed).collect();
            let head: String = value.chars().take(12).collect();
            let text = sample(row.id).replace(&value, &format!("{head}{tail}"));
            if value.len() > 20 {
                assert!(scan(&text, |other| other.id == row.id).is_empty(), "{text}");
            }
        }
    }
}

#[test]
fn strong_values_are_found_in_any_surroundings() {
    for row in DETECTORS.iter().filter(|row| row.tier >= Tier::Strong) {
        let sample = sample(row.id);
        let value = value(row);
        let texts = [
            format!("# settings\nNAME={sample}\nOTHER=1\n"),
            format!("service:\n  name: {sample}\n  other: 1\n"),
            format!("{{\"name\": \"{sample}\", \"other\": 1}}"),
            format!("let name = \"{sample}\";\nrun(name);"),
            format!("https://api.acme.io/v1?name={sample}&other=1"),
            format!("export NAME='{sample}' && run"),
            format!("@@ -1,2 +1,2 @@\n-NAME=none\n+NAME={sample}\n OTHER=1\n"),
            format!("printf 'a\\n{sample}\\nb'"),
            format!("ünï{sample}→"),
        ];
        for text in texts {
            let found = scan_all(&text);
            let hit = found.iter().find(|finding| finding.detector.id == row.id);
            assert_eq!(hit.map(|hit| &text[hit.span.clone()]), Some(value.as_str()), "{} in {text}", row.id);
        }
    }
}

#[test]
fn checksums_decide() {
    let mut dice = SeededRng(1);
    for prefix in ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"] {
        let body = dice.text(BASE62, 30);
        let token = format!("{prefix}{body}{}", checksum_base62(&body));
        assert_eq!(scan_all(&token)[0].tier, Tier::Proved, "{token}");
        let broken = token.replace(&body, &dice.text(BASE62, 30));
        assert_eq!(ids(&broken), ["checksum-mismatch"]);
    }
    let key = format!("glsa_{}", dice.text(BASE62, 32));
    assert_eq!(ids(&format!("{key}_{:08x}", crc32(key.as_bytes()).swap_bytes())), ["grafana-token"]);
    assert_eq!(ids(&format!("{key}_{:08x}", crc32(key.as_bytes()))), ["checksum-mismatch"]);
}

/// Fills in a form: `{w20}` are twenty letters and digits, `d` digits, `h` hexadecimal, `b` base32,
/// `u` capitals and digits.
fn fill(form: &str, dice: &mut SeededRng) -> String {
    let mut parts = form.split(['{', '}']);
    let mut filled = parts.next().unwrap().to_owned();
    while let (Some(hole), Some(rest)) = (parts.next(), parts.next()) {
        let alphabet = match &hole[..1] {
            "d" => &BASE62[..10],
            "u" => &BASE62[..36],
            "h" => b"0123456789abcdef",
            "b" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            _ => BASE62,
        };
        filled.push_str(&dice.text(alphabet, hole[1..].parse().unwrap()));
        filled.push_str(rest);
    }
    filled
}

#[test]
fn other_forms_of_a_family_are_found() {
    let forms = [
        ("gitlab-token", "glpat-{w40}.01.{h9}"),
        ("gitlab-token", "glrt-t1_{w20}"),
        ("gitlab-token", "GR1348941{w20}"),
        ("gitlab-token", "glcbt-1a_{w20}"),
        ("gitlab-token", "glptt-{h40}"),
        ("slack-token", "xoxp-{d12}-{d12}-{d13}-{h32}"),
        ("slack-token", "xapp-1-A{u10}-{d13}-{h64}"),
        ("slack-token", "xoxe.xoxp-1-{w160}"),
        ("slack-token", "xoxb-{d11}-{w24}"),
        ("slack-webhook", "https://hooks.slack.com/workflows/T{u10}/A{u10}/{d18}/{w24}"),
        ("stripe-live-key", "rk_live_{w99}"),
        ("openai-key", "sk-{w20}T3BlbkFJ{w20}"),
        ("openai-key", "sk-svcacct-{w74}T3BlbkFJ{w73}"),
        ("anthropic-key", "sk-ant-oat01-{w93}AA"),
        ("anthropic-key", "sk-ant-admin01-{w93}AA"),
        ("telegram-bot-token", "https://api.telegram.org/bot{d10}:AA{w33}/getMe"),
        ("vault-token", "hvs.{w24}"),
        ("vault-token", "hvb.AAAAAQ{w140}"),
        ("doppler-token", "dp.st.dev.{w40}"),
        ("databricks-token", "dapi{h32}-2"),
        ("mailgun-key", "mailgun('{h32}-{h8}-{h8}')"),
        ("notion-token", "secret_{w43}"),
        ("linear-key", "lin_oauth_{h64}"),
        ("digitalocean-token", "dor_v1_{h64}"),
        ("crates-io-token", "cio_tp_{w32}"),
        ("square-access-token", "square EAAA{w60}"),
        ("huggingface-token", "api_org_{w34}"),
        ("docker-token", "dckr_oat_{w32}"),
        ("shopify-token", "shpss_{h32}"),
        ("aws-access-key-id", "ASIA{b16}"),
        ("discord-webhook", "https://canary.discord.com/api/v10/webhooks/{d19}/{w68}"),
    ];
    let mut dice = SeededRng(12);
    for (id, form) in forms {
        for _ in 0..20 {
            let text = fill(form, &mut dice);
            assert_eq!(ids(&text), [id], "{text}");
        }
    }
}

#[test]
fn placeholders_are_no_secrets() {
    let values = [
        "changeme",
        "<token>",
        "${API_TOKEN}",
        "$API_TOKEN",
        "process.env.API_TOKEN",
        "os.environ[\"API_TOKEN\"]",
        "getenv(\"API_TOKEN1a2b3c\")",
        "{{ api_token }}",
        "{{ .Values.token1a2b3c4d }}",
        "your-api-token-here1a2b3c",
        "xxxxxxxxxxxxxxxx",
        "example1a2b3c4d5e",
        "dummy1a2b3c4d5e6f",
        "aaaaaaaaaaaaaaaa",
        "abcdefghijklmnop",
        "1234567890",
        "a1b2a1b2a1b2a1b2",
        "%(token1a2b3c4d)s",
        "[REDACTED]",
        "********",
        "...",
        "settings.TOKEN",
        "self.token2",
        "correct-horse-battery-staple",
        "my-application-token-name",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256-1f0c4c2fb0a1b4c6d7e8f90a1b2c3d4e",
        "vault:secret/data/app1a2b3c4d",
        "op://vault/item1a2b3c4d/field",
    ];
    for value in values {
        for text in
            [format!("api_key = \"{value}\""), format!("PASSWORD={value}\n"), format!("\"token\": \"{value}\",")]
        {
            assert_eq!(ids(&text), [""; 0], "{text}");
        }
    }
    let id = ["AKIA", "IOSFODNN7", "EXAMPLE"].concat();
    let key = ["wJalrXUtnFEMI", "/K7MDENG/bPxRfiCY", "EXAMPLEKEY"].concat();
    assert_eq!(ids(&format!("[default]\naws_access_key_id = {id}\naws_secret_access_key = {key}\n")), [""; 0]);
}

#[test]
fn clean_text_gives_nothing() {
    let mut dice = SeededRng(9);
    let hex = |len, dice: &mut SeededRng| dice.text(b"0123456789abcdef", len);
    let mut text = String::new();
    for _ in 0..200 {
        let (sha, git, mixed) = (hex(64, &mut dice), hex(40, &mut dice), dice.text(BASE64, 86));
        let uuid = format!("{}-{}-4{}-a{}-{}", &sha[..8], &sha[8..12], &sha[12..15], &sha[15..18], &sha[18..30]);
        writeln!(text, "checksum = \"{sha}\"\ncommit {git}\n\"integrity\": \"sha512-{mixed}==\",").unwrap();
        writeln!(text, "resolved \"https://registry.npmjs.org/a/-/a-1.0.0.tgz#{git}\"\nid: {uuid}").unwrap();
        writeln!(text, "token_id: {uuid}\nuses: actions/checkout@{git}\nimage: app@sha256:{sha}").unwrap();
    }
    writeln!(text, "<img src=\"data:image/png;base64,{}\">", dice.text(BASE64, 40_000)).unwrap();
    text.push_str(
        "!function(e,t){var n=e.token,r=t.password||\"\",o={secret:n,api_key:r};return a(o.secret===r.token)}(a,b);",
    );
    text.push_str("const tokens = tokenize(source); let password = prompt('password:'); token_type = \"bearer\"; MAX_TOKENS=4096\n");
    text.push_str(
        "Authorization: Bearer <token>\nhttps://user@host.io/x http://[::1]:80/@a https://a.io:8080/@scope/pkg\n",
    );
    text.push_str("-----BEGIN CERTIFICATE-----\nMIIB\n-----BEGIN PUBLIC KEY-----\nMIIB\nif (line == \"-----BEGIN RSA PRIVATE KEY-----\") {\n");
    assert_eq!(ids(&text), [""; 0]);
}

#[test]
fn keys_are_found_however_their_lines_are_marked() {
    let block = key_block("\n");
    let diff = block.replace('\n', "\n+");
    let removed = block.replace('\n', "\n-");
    let number = |mark: &str| {
        let lines = block.lines().zip(1..).map(|(line, n)| format!("{n:6}{mark}{line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let code = block.replace('\n', "\\n\" +\n    \"");
    let texts = [
        key_block("\r\n"),
        key_block("\\n"),
        key_block("\\\\n"),
        key_block(" "),
        key_block("\n    "),
        diff,
        removed,
        number("\u{2192}"),
        number("\t"),
        number(": "),
        number(" | "),
        code,
        block.replace('\n', "\n> "),
        block.clone(),
    ];
    for text in texts {
        assert_eq!(ids(&text), ["private-key"], "{text}");
        let shown = redact(&text, &scan_all(&text));
        assert!(shown.len() < 90, "{shown}");
    }
    let half = &block[..block.len() / 2 + 100];
    assert_eq!(ids(&format!("{half}\n\nand so on. ({half})")), ["private-key"]);
    assert_eq!(ids(&block[..200]), [""; 0]);
}

#[test]
fn an_aws_key_needs_its_name_or_its_id() {
    let key = value(detector("aws-secret-key"));
    let id = value(detector("aws-access-key-id"));
    assert_eq!(ids(&format!("{key} {key}")), [""; 0]);
    assert_eq!(ids(&format!("{id},{key}")), ["aws-access-key-id", "aws-secret-key"]);
    assert_eq!(ids(&format!("- {key}\n- {id}\n")), ["aws-secret-key", "aws-access-key-id"]);
    for name in ["AWS_SECRET_ACCESS_KEY=", "\"SecretAccessKey\": \"", "awsSecretKey: '", "--aws-secret-access-key "] {
        assert_eq!(ids(&format!("{name}{key}\n")), ["aws-secret-key"], "{name}");
    }
    let hash = SeededRng(2).text(b"0123456789abcdef", 40);
    assert_eq!(ids(&format!("{id}\ncommit {hash}\n")), ["aws-access-key-id"]);
}

#[test]
fn urls_are_read() {
    let passwords = ["vR7kq2Zp9wTx", "Sunny-Day9", "p%40ssKite"];
    let remote = [
        "postgres://app:~@db.acme.io/app",
        "postgresql+asyncpg://app:~@10.1.2.3:5432/x",
        "redis://:~@cache.acme.io/0",
        "mongodb+srv://admin:~@cluster0.ab1cd.mongodb.net/?w=majority",
        "amqps://svc:~@mq.acme.io/",
        "git clone https://deploy:~@git.acme.io/app.git",
        "http_proxy=http://me:~@proxy.acme.io:3128",
    ];
    // Only what nobody would choose for a sample.
    let local = ["DATABASE_URL='mysql://root:~@localhost/x'", "redis://:~@redis:6379/0"];
    let fill =
        |forms: &[&str], password: &str| forms.iter().map(|form| form.replace('~', password)).collect::<Vec<_>>();
    let mut found = fill(&local, passwords[0]);
    found.extend(passwords.iter().flat_map(|password| fill(&remote, password)));
    let clean = [
        "postgres://postgres:postgres@localhost:5432/test",
        "postgres://user:password@db.acme.io/x",
        "mysql://root:root@127.0.0.1/x",
        "postgres://app:${DB_PASSWORD}@db.acme.io/x",
        "redis://redis:6379/0",
        "postgres://app:$PASS@db.acme.io/x",
        "mongodb://user:<password>@cluster0.ab1cd.mongodb.net",
        "amqp://guest:guest@mq.acme.io",
        "postgres://app:{{ password }}@db.acme.io/x",
        "postgres://app:app@db:5432/app",
        "mysql://u:kitekite@db.example.com/",
        "https://user:pass@example.com/",
        "https://user:hunter22@localhost/",
        "http://a:b@c.io",
        "https://acme.io:8080/a@b",
        "https://x-access-token:${TOKEN}@github.com/a/b",
        "postgres://app:***@db.acme.io/x",
        "ssh://git@github.com/a/b",
    ];
    for text in found {
        assert_eq!(ids(&text).len(), 1, "{text}");
        assert_eq!(scan_all(&text)[0].detector.tier, Tier::Paired, "{text}");
    }
    for text in clean.map(str::to_owned).into_iter().chain(fill(&local, passwords[1])) {
        assert_eq!(ids(&text), [""; 0], "{text}");
    }
}

#[test]
fn names_and_random_values_make_generic_findings() {
    let value = SeededRng(5).text(BASE62, 24);
    let found = [
        "DB_PASSWORD=@",
        "\"clientSecret\": \"@\"",
        "const API_KEY: &str = \"@\";",
        "api-key: @\n",
        "token := \"@\"",
        "{\\\"access_key\\\": \\\"@\\\"}",
        "setenv(\"APP_TOKEN\", \"@\")",
        "https://a.io/x?token=@&b=1",
        "secret => '@'",
        "x-api-key: @",
        "--password=@",
        ".password(\"@\")",
        "config['auth_key'] = \"@\"",
        "env:\n  - name: APP_SECRET\n    token: @\n",
    ];
    for form in found {
        assert_eq!(ids(&form.replace('@', &value)), ["generic-secret"], "{form}");
    }
    let clean =
        ["public: @", "secret_name = \"@\"", "tokenUrl: \"@\"", "password = hash(@)", "token == x.@()", "secret_@"];
    for form in clean {
        assert_eq!(ids(&form.replace('@', &value)), [""; 0], "{form}");
    }
}

#[test]
fn each_value_is_reported_once_by_the_best_row() {
    let token = value(detector("github-token"));
    let text = format!("\n\napi_key = \"{token}\"\nhttps://x:{token}@git.acme.io/\nAuthorization: Bearer {token}\n");
    let found = scan_all(&text);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].detector.id, found[0].line), ("github-token", 3));
    assert_eq!(scan(&text, |row| row.tier == Tier::Generic).len(), 1);
    assert!(scan(&text, |_| false).is_empty());
}

#[test]
fn redaction_leaves_no_value() {
    let password = value(detector("database-url"));
    let password = password.as_str();
    let key = value(detector("stripe-live-key"));
    let text = format!("password = \"{password}\"\nécho {password}; echo {key} {password}\nrun -p{password}");
    let shown = Redacted::from_text(&text);
    assert!(!shown.as_str().contains(password) && !shown.as_str().contains(&key), "{shown}");
    assert_eq!(shown.as_str().matches("[generic-secret:").count(), 4);
    let tags: HashSet<&str> = shown.as_str().split("[generic-secret:").skip(1).map(|rest| &rest[..4]).collect();
    assert_eq!(tags.len(), 1);
    assert!(shown.as_str().contains("[stripe-live-key:"));
    assert_eq!(Redacted::from_text(shown.as_str()), shown);
    let found = scan_all(&text);
    assert_eq!(redact("short", &found), "short");
    assert_eq!(redact(&text, &[]), text);
}

#[test]
fn long_values_are_taken_whole() {
    let jwt = value(detector("jwt"));
    let (start, signature) = jwt.rsplit_once('.').unwrap();
    let long = format!("{start}.{}", SeededRng(4).text(BASE62, 20_000) + signature);
    let text = format!("cookie: a={long}; b=1");
    assert_eq!(&text[scan_all(&text)[0].span.clone()], long);
    assert_eq!(redact(&text, &scan_all(&text)).len(), "cookie: a=[jwt:0000]; b=1".len());
}

#[test]
fn any_text_is_scanned() {
    let mut dice = SeededRng(8);
    let pieces: Vec<String> = DETECTORS.iter().map(|row| sample(row.id)).collect();
    for _ in 0..200 {
        let mut text = String::new();
        for _ in 0..6 {
            let piece = &pieces[dice.next() % pieces.len()];
            let cut = dice.next() % piece.len();
            text.push_str(["é", "→", "\"", "\\", "\u{feff}", "=", "\n", "🔑"][dice.next() % 8]);
            text.push_str(piece.get(cut..).unwrap_or_default());
            text.push_str(piece.get(..cut).unwrap_or_default());
        }
        let shown = Redacted::from_text(&text);
        let _ = Redacted::from_text(shown.as_str());
    }
}

/// Detectors as a policy would bring them.
fn custom_detectors(text: &str) -> CustomDetectors {
    CustomDetectors::new(read_files(&[SourceText::new("own.yaml", text)]).unwrap())
}

#[test]
fn a_policy_brings_detectors_of_its_own() {
    let own = custom_detectors("
detectors:
  - { id: acme-token, name: Acme token, token: 'acme_[0-9a-f]{24}', tier: strong, severity: high, advice: variable }
  - { id: acme-inner, name: Acme inner token, token: '[0-9A-Z]{6}\\.acme1\\.[0-9a-z]{20}', tier: strong, severity: high, advice: variable }
  - { id: acme-key, name: Acme key, assigned: { to: ['acme[-_]?key'], value: '[0-9a-f]{32}' }, tier: paired, severity: high, advice: variable }
  - { id: acme-pin, name: Acme pin, near: { words: [acme], value: '[0-9]{9}', lines: 2 }, check: mixed, tier: paired, severity: low, advice: variable }
  - { id: acme-code, name: Acme code, near: { words: [acme], value: 'C[0-9]{9}', lines: 2 }, tier: paired, severity: low, advice: variable }
");
    let ids = |text: &str| -> Vec<&str> {
        scan_with(text, &own, |row| row.id.starts_with("acme")).iter().map(|finding| finding.detector.id).collect()
    };
    let mut dice = SeededRng(21);
    let hex = dice.text(b"0123456789abcdef", 32);
    let code = dice.text(&BASE62[..10], 9);
    assert_eq!(ids(&format!("x = acme_{}", &hex[..24])), ["acme-token"]);
    assert_eq!(ids(&format!("x = acme_{}", &hex[..23])), [""; 0]);
    assert_eq!(ids(&format!("x = aacme_{}", &hex[..24])), [""; 0]);
    assert_eq!(ids(&format!("(Q7RT2B.acme1.{})", &hex[..20])), ["acme-inner"]);
    for form in
        ["ACME_KEY=@", "\"acmeKey\": \"@\"", "acme-key: @", "setAcmeKey(\"@\")", "<acmekey>@</acmekey>", "--acme-key @"]
    {
        assert_eq!(ids(&form.replace('@', &hex)), ["acme-key"], "{form}");
    }
    assert_eq!(ids(&format!("other = {hex}")), [""; 0]);
    assert_eq!(ids(&format!("acme\n\ncode C{code}")), ["acme-code"]);
    assert_eq!(ids(&format!("acme\n\n\n\n\ncode C{code}")), [""; 0]);
    let text = format!("acme_{}", &hex[..24]);
    let shown = Redacted::in_session(&text, &own, "one");
    assert!(shown.as_str().starts_with("[acme-token:"), "{shown}");
    assert_eq!(shown, Redacted::in_session(&text, &own, "one"));
    assert_ne!(shown, Redacted::in_session(&text, &own, "two"));
}

fn base64(bytes: &[u8]) -> String {
    let sextets = |group: &[u8]| {
        let bits =
            group.iter().chain([0, 0, 0].iter()).take(3).fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        (0..=group.len()).map(move |at| char::from(BASE64[bits >> (18 - 6 * at) & 63])).collect::<String>()
    };
    let mut text: String = bytes.chunks(3).map(sextets).collect();
    text.push_str(["", "==", "="][bytes.len() % 3]);
    text
}

#[test]
fn encodings_are_looked_through() {
    let token = value(detector("github-token"));
    for before in ["", "(", "(\"", "token: "] {
        let inner = format!("{before}{token} and so on");
        let once = base64(inner.as_bytes());
        let hex = inner.bytes().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").unwrap();
            hex
        });
        for coded in [&once, &once.replace('+', "-").replace('/', "_"), &hex] {
            let text = format!("data: {coded}\nend");
            let found = scan_all(&text);
            let ids: Vec<&str> = found.iter().map(|finding| finding.detector.id).collect();
            assert_eq!(ids, ["github-token"], "{text}");
            assert_eq!(&text[found[0].span.clone()], coded.as_str());
            assert!(!redact(&text, &found).contains(&coded[8..16]));
        }
    }
    let key = SeededRng(4).text(BASE64, 85) + "A==";
    let percent = key.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D");
    let json = key.replace('+', "\\u002b").replace('/', "\\/").replace('=', "\\u003d");
    for (coded, text) in [
        (&percent, format!("conn=AccountKey%3D{percent}&x=1")),
        (&percent, format!("AccountKey={percent}\n")),
        (&json, format!("{{\"AccountKey\": \"{json}\"}}")),
    ] {
        let found: Vec<Finding> = scan(&text, |row| row.id == "azure-storage-key");
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(&text[found[0].span.clone()], coded.as_str());
    }
    let twice = base64(format!("x {}", base64(key_block("\n").as_bytes())).as_bytes());
    // The inner encoding is known by itself, so its beginnings are known once encoded as well.
    assert_eq!(ids(&format!("data: {twice}")), ["private-key"]);
    assert_eq!(ids(&base64(key_block("\n").as_bytes())), ["private-key"]);
}

#[test]
fn a_proof_decides_the_tier_of_a_finding() {
    let proved = scan_all(&sample("github-token"));
    assert_eq!((proved[0].detector.tier, proved[0].tier), (Tier::Strong, Tier::Proved));
    let opaque = scan_all(&sample("stripe-live-key"));
    assert_eq!(opaque[0].tier, Tier::Strong);
    assert_eq!(scan_all(&sample("jwt"))[0].tier, Tier::Generic);
}
