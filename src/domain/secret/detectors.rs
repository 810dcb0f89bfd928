//! The table of detectors: one row per kind of secret. This file is a table and is as long as the table is.
//!
//! A row that follows a template (`..TOKEN`) states what differs from it. More special rows stand before more general
//! ones, because the first of two equally proved rows has the finding. Each row's samples are run against it by a test.
//! A shape belongs here when the vendor documents it or issues it; a wrong digit in a length loses every real token.

use super::{
    assignment,
    detector::{Detector, Severity, Tier, Window},
    key_block, url, verify,
};

/// What may stand before a token: a sign that is no letter or digit, or an escape that ends in one.
macro_rules! token {
    ($body:literal) => {
        concat!(r"(?:^|[^0-9A-Za-z]|\\[nrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(", $body, ")")
    };
}

/// A token of letters and digits that ends where they end.
macro_rules! word {
    ($body:literal) => {
        concat!(token!($body), r"(?:[^0-9A-Za-z]|$)")
    };
}

/// A token of the URL-safe alphabet that ends where it ends.
macro_rules! urlsafe {
    ($body:literal) => {
        concat!(token!($body), r"(?:[^0-9A-Za-z_\-]|$)")
    };
}

/// What may stand between two lines of a key: ends of lines, escaped or not, and the marks of quotations and of diffs.
macro_rules! gap {
    () => {
        r#"(?:\\[nr]|[\s"'`+,>|#*\\-]|\xE2\x86\x92)*(?:\d{1,6}(?:\t|\xE2\x86\x92|: ?| ?\| ?))?"#
    };
}

/// A key block; the lines may lack their end, but not their beginning.
macro_rules! block {
    ($label:literal) => {
        concat!(
            "(-----BEGIN ",
            $label,
            "-----",
            "(?:",
            gap!(),
            r#"[A-Z][A-Za-z\-]{2,24}: ?[^\n\\"]+)*"#,
            "(?:",
            gap!(),
            "[0-9A-Za-z+/=]{20,})+",
            "(?:(?:",
            gap!(),
            "[0-9A-Za-z+/=]{1,19}){0,2}",
            gap!(),
            "-----END [A-Z ]+-----)?)"
        )
    };
}

const VARIABLE: &str = "Read it from an environment variable at run time and name the variable in the code.";
const SECRET_STORE: &str =
    "Keep it in the secret store of the place where the program runs, and write only its name here.";
const AWS: &str =
    "Name a profile or rely on the role of the machine; the SDK and the command line find the key themselves.";
const GOOGLE: &str =
    "Use application default credentials or workload identity; the client libraries find them themselves.";
const AZURE: &str =
    "Use a managed identity, or a reference to a key vault, instead of a connection string with the key.";
const PACKAGES: &str =
    "Log in with the package manager's own command or use trusted publishing; no file of the project needs it.";
const PIPELINE: &str = "Use the variable that the pipeline provides, or the credential helper of git.";
const CHAT: &str = "Read it from an environment variable; whoever holds it can post and read as the application.";
const KEY_FILE: &str =
    "Leave the key in its own file, outside the project and readable by its owner only, and write the path.";
const LOGIN: &str = "Write the URL without user and password, and read both from the environment at run time.";
const HEADER: &str = "Put the credential into an environment variable and let the header name it.";

/// A token with a prefix of its own.
const TOKEN: Detector = Detector {
    id: "",
    name: "",
    keywords: &[],
    window: Window::LINE,
    pattern: "",
    check: Some(verify::opaque),
    tier: Tier::Strong,
    severity: Severity::High,
    advice: VARIABLE,
    positive: &[],
    negative: &[],
};

/// A private key between armor lines.
const KEY: Detector = Detector {
    window: Window::BLOCK,
    check: Some(key_block::plain),
    tier: Tier::Proved,
    severity: Severity::Critical,
    advice: KEY_FILE,
    ..TOKEN
};

/// All detectors there are.
pub static DETECTORS: &[Detector] = TABLE;

/// The same as a constant, from which the compiler builds other tables.
pub(super) const TABLE: &[Detector] = &[
    Detector {
        id: "aws-access-key-id",
        name: "AWS access key id",
        keywords: &["akia", "asia", "abia", "acca"],
        pattern: word!("(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
        advice: AWS,
        positive: &["AKI", "AEFSDXL5DCJGVEBLE"],
        negative: &["AKI", "AIOSFODNN7", "EXAMPLE"],
        ..TOKEN
    },
    Detector {
        id: "aws-secret-key",
        name: "AWS secret access key",
        keywords: &[
            "akia",
            "asia",
            "aws_secret",
            "aws-secret",
            "awssecret",
            "secret_access_key",
            "secret-access-key",
            "secretaccesskey",
            "secret access key",
        ],
        window: Window::NEARBY,
        pattern: r"(?:^|[^0-9A-Za-z+/_.\-]|\\[nrt])([0-9A-Za-z+/]{40})(?:[^0-9A-Za-z+/=]|$)",
        check: Some(verify::aws_secret),
        tier: Tier::Paired,
        severity: Severity::Critical,
        advice: AWS,
        positive: &["aws_secret_acc", "ess_key = ", "OvNcI/VrjhE/ZaYdEz3n", "89DcHL82JCZcaKpIwBYa"],
        negative: &["aws_secret_acc", "ess_key = ", "wJalrXUtnFEMI/K7MDENG", "/bPxRfiCY", "EXAMPLEKEY"],
    },
    Detector {
        id: "google-api-key",
        name: "Google API key",
        keywords: &["aiza"],
        pattern: urlsafe!(r"AIza[0-9A-Za-z_\-]{35}"),
        advice: GOOGLE,
        positive: &["AIz", "aSy5wC1whPNu3_1jiNVk-e", "Rn_oVyDlGy7n9T"],
        negative: &["AIz", "aSy5wC1whPNu3_1jiNVk-e", "Rn_oVyDlGy7n9"],
        ..TOKEN
    },
    Detector {
        id: "google-oauth-secret",
        name: "Google OAuth client secret",
        keywords: &["gocspx-"],
        pattern: urlsafe!(r"GOCSPX-[0-9A-Za-z_\-]{28}"),
        advice: GOOGLE,
        positive: &["GOC", "SPX-UFVbu8Qalc0ZWqCJ5l", "ktvEAV1ajI"],
        negative: &["GOC", "SPX-UFVbu8Qalc0ZWqCJ5l", "ktvEAV1aj"],
        ..TOKEN
    },
    Detector {
        id: "gcp-service-account-key",
        name: "Google service account key",
        keywords: &["private_key"],
        pattern: concat!(r#"private_key\\{0,2}"\s{0,4}:\s{0,4}\\{0,2}""#, block!("PRIVATE KEY")),
        check: Some(key_block::service_account),
        advice: GOOGLE,
        positive: &[
            "{\"type\": \"service_acc",
            "ount\", \"private_",
            "key\": \"-----BEGIN PRI",
            "VATE KEY-----\\n",
            "MC4CAQAwBQYDK2VwBCIEIFq5XocS3L",
            "RNTDSFnLVfaBJMtli04TxWJzz9jysqoOUD",
            "\\n-----END PRI",
            "VATE KEY-----\\n\"}",
        ],
        negative: &[
            "{\"type\": \"service_acc",
            "ount\", \"private_",
            "key\": \"-----BEGIN PRI",
            "VATE KEY-----\\n",
            "MIIEpAIBAAKCAQEA",
            "...\\n-----END PRI",
            "VATE KEY-----\\n\"}",
        ],
        ..KEY
    },
    Detector {
        id: "azure-storage-key",
        name: "Azure storage account key",
        keywords: &["accountkey="],
        pattern: r"(?i:AccountKey)=([0-9A-Za-z+/]{85}[AQgw]==)",
        severity: Severity::Critical,
        advice: AZURE,
        positive: &[
            "Account",
            "Key=",
            "JuJy4/rSXAIXfsBoqexpoteI2zrjIj+Py1K5KzQ3qaCn",
            "+uVkeBTj26NVg5yoyeAN4HbVOiLZvJLwx20gNWLpZg==",
        ],
        negative: &[
            "Account",
            "Key=",
            "JuJy4/rSXAIXfsBoqexpoteI2zrjIj+Py1K5KzQ3qaCn",
            "+uVkeBTj26NVg5yoyeAN4HbVOiLZvJLwx20gNWLp",
            "==",
        ],
        ..TOKEN
    },
    Detector {
        id: "azure-shared-access-key",
        name: "Azure shared access key",
        keywords: &["sharedaccesskey="],
        pattern: r"(?i:SharedAccessKey)=([0-9A-Za-z+/]{42}[048AEIMQUYcgkosw]=)",
        advice: AZURE,
        positive: &["SharedAccess", "Key=", "oat+sZWZeMKK6n5Vfds7qc", "rXQ6U8YfFWiw7EXQoSkYY="],
        negative: &["SharedAccess", "Key=", "oat+sZWZeMKK6n5Vfds7qc", "rXQ6U8YfFWiw7EXQoSkY", "="],
        ..TOKEN
    },
    Detector {
        id: "azure-sas-signature",
        name: "signature of an Azure shared-access URL",
        keywords: &["sig="],
        window: Window::NEARBY,
        pattern: r"[?&;\x22]sig=([0-9A-Za-z%+/]{43,}?(?:%3[Dd]|=))",
        check: Some(verify::azure_signature),
        tier: Tier::Paired,
        advice: AZURE,
        positive: &[
            "https://acct.blob.core.windows.net/c/b?sv=2024-11-04&se=2027-01-01&s",
            "ig=",
            "jMhw6uIdi6eWVn5hMNOv",
            "A%2BDM6MkWjguZlRmvSvrPGKk%3D",
        ],
        negative: &[
            "https://acct.blob.core.windows.net/c/b?v=1&s",
            "ig=",
            "jMhw6uIdi6eWVn5hMNOv",
            "A%2BDM6MkWjguZlRmvSvrPGKk%3D",
        ],
        ..TOKEN
    },
    Detector {
        id: "azure-client-secret",
        name: "Azure application secret",
        keywords: &["0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~"],
        pattern: concat!(token!(r"[0-9A-Za-z_~.]{3}\dQ~[0-9A-Za-z_~.\-]{31,34}"), r"(?:[^0-9A-Za-z_~\-]|$)"),
        advice: AZURE,
        positive: &["a7R", "8Q~8BhW3UL0jZsvA2tgQdu", "K87auEo4ob-c4eO"],
        negative: &["a7R", "8Q~8BhW3UL0jZsvA2tgQd"],
        ..TOKEN
    },
    Detector {
        id: "github-token",
        name: "GitHub token",
        keywords: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        pattern: word!("gh[pousr]_[0-9A-Za-z]{36}"),
        check: Some(verify::github),
        tier: Tier::Proved,
        severity: Severity::Critical,
        advice: PIPELINE,
        positive: &["ghp", "_w09hUXOC1zXJw1wUd4SAi", "kXETiTQeJ0oq7YE"],
        negative: &["ghp", "_w09hUXOC1zXJw1wUd4SAi", "kXETiTQeJ0oq7YA"],
        ..TOKEN
    },
    Detector {
        id: "github-installation-token",
        name: "GitHub App installation token",
        keywords: &["ghs_"],
        pattern: token!(r"ghs_\d{1,12}_eyJ[0-9A-Za-z_\-]{8,}\.eyJ[0-9A-Za-z_\-]{8,}\.[0-9A-Za-z_\-]{16,}"),
        check: Some(verify::github_stateless),
        tier: Tier::Proved,
        severity: Severity::Critical,
        advice: PIPELINE,
        positive: &[
            "gh",
            "s_48213_",
            "eyJhbGciOi",
            "JSUzI1NiIsInR5cCI6IkpXVCJ9",
            ".",
            "eyJpc3MiOi",
            "JnaCIsImFwcCI6NDgyMTN9",
            ".",
            "83G33ffkKpf67wEQiLQMBtJk1_m_QNM2enNK0pwU",
            "xlJWo5A1Lg2lwcPMJYZAeS5FS1SDs_-CujEJNyvZ7-_XDY",
        ],
        negative: &[
            "gh",
            "s_48213_",
            "eyJhbGciOi",
            "SUzI1NiIsInR5cCI6IkpXVCJ9",
            ".",
            "eyJpc3MiOi",
            "JnaCIsImFwcCI6NDgyMTN9",
            ".",
            "83G33ffkKpf67wEQiLQMBtJk1_m_QNM2enNK0pwU",
            "xlJWo5A1Lg2lwcPMJYZAeS5FS1SDs_-CujEJNyvZ7-_XDY",
        ],
        ..TOKEN
    },
    Detector {
        id: "github-fine-grained-token",
        name: "GitHub fine-grained token",
        keywords: &["github_pat_"],
        pattern: word!("github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}"),
        severity: Severity::Critical,
        advice: PIPELINE,
        positive: &[
            "github",
            "_pat_",
            "zX5eb8bsIyprA1VWjRlVnp",
            "_XQH41rV5eAbpbmFmo6RlW0Pz0s",
            "EdcOBlV9R8sgo04zlBSyopaovypxZtd7d",
        ],
        negative: &[
            "github",
            "_pat_",
            "zX5eb8bsIyprA1VWjRlVnp",
            "_XQH41rV5eAbpbmFmo6RlW0Pz0s",
            "EdcOBlV9R8sgo04zlBSyopaovypxZtd7",
        ],
        ..TOKEN
    },
    Detector {
        id: "gitlab-token",
        name: "GitLab token",
        keywords: &[
            "glpat-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glsoat-",
            "glagent-",
            "glimt-",
            "gloas-",
            "glffct-",
            "gr1348941",
        ],
        pattern: urlsafe!(
            r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas|ffct)-(?:[0-9A-Za-z_\-]{27,}(?:\.[0-9a-z]{2})?\.[0-9a-z]{9}|[0-9A-Za-z_\-]{20,64})|GR1348941[0-9A-Za-z_\-]{20}"
        ),
        severity: Severity::Critical,
        advice: PIPELINE,
        positive: &["glp", "at-", "9xNaGNkFTN", "OBb16yFPDC"],
        negative: &["glp", "at-", "9xNaGNkFTN", "OBb16yFPD"],
        ..TOKEN
    },
    Detector {
        id: "slack-token",
        name: "Slack token",
        keywords: &["xoxa-", "xoxb-", "xoxc-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxe", "xoxd-", "xapp-"],
        pattern: urlsafe!(
            r"xox[abcoprs]-(?:\d{8,14}-){1,3}[0-9A-Za-z]{18,64}|xoxe(?:\.xox[bp])?-\d-[0-9A-Za-z]{100,}|xoxd-[0-9A-Za-z%+/=]{60,}|xapp-\d-[0-9A-Z]{8,14}-\d{8,14}-[0-9a-f]{64}"
        ),
        advice: CHAT,
        positive: &["xo", "xb-", "031528869632-", "6055989517807-", "jwRKPEsHh8X94rlk6fPjNSZH"],
        negative: &["xo", "xb-123456789012-", "1234567890123-", "jwRKPEsHh8X94rlk6fPjNSZH"],
        ..TOKEN
    },
    Detector {
        id: "slack-webhook",
        name: "Slack webhook",
        keywords: &["hooks.slack.com"],
        pattern: r"hooks\.slack\.com/(?:services|workflows|triggers)/(T[0-9A-Z]{8,12}/[0-9A-Z]{9,15}(?:/\d{12,20})?/[0-9A-Za-z]{24,32})",
        severity: Severity::Medium,
        advice: CHAT,
        positive: &["https://hooks.sl", "ack.com/services/", "TKINZ8G7NO/", "BATWRGSKSVI/", "afGG2gLo0SqGHxXqvqprtOmb"],
        negative: &["https://hooks.sl", "ack.com/services/T00000000/B00000000/", "XXXXXXXXXXXXXXXXXXXXXXXX"],
        ..TOKEN
    },
    Detector {
        id: "discord-bot-token",
        name: "Discord bot token",
        keywords: &["discord", "token", "bot_", "bot-", "bot."],
        window: Window::NEARBY,
        pattern: urlsafe!(r"[MNO][0-9A-Za-z_\-]{22,27}\.[0-9A-Za-z_\-]{6}\.[0-9A-Za-z_\-]{27,38}"),
        check: Some(verify::discord),
        tier: Tier::Proved,
        advice: CHAT,
        positive: &["discord ", "MTE4NzQ5MzAy", "NTUxODM2Mjk0Nw.Nb4Lzm.", "KqmmMnduxCQr4ElHuA1eAlb3GGZpCoPqwFI1-P"],
        negative: &["discord ", "QTE4NzQ5MzAy", "NTUxODM2Mjk0Nw.Nb4Lzm.", "KqmmMnduxCQr4ElHuA1eAlb3GGZpCoPqwFI1-P"],
        ..TOKEN
    },
    Detector {
        id: "discord-webhook",
        name: "Discord webhook",
        keywords: &["/webhooks/"],
        pattern: urlsafe!(r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{17,20}/[0-9A-Za-z_\-]{60,72}"),
        severity: Severity::Medium,
        advice: CHAT,
        positive: &[
            "https://disc",
            "ord.com/api/webhooks/",
            "1187493025518362947/",
            "oYhjX5Go4IEJGqoy19q2k5y0s5y1fGDq46IT8Or5i7rBNIWIjryjIYqaRT9l97UhASeI",
        ],
        negative: &[
            "https://disc",
            "ord.com/api/webhooks/",
            "1187493025518362947/",
            "oYhjX5Go4IEJGqoy19q2k5y0s5y1fGDq46IT8Or5i7rBNIWIjr",
        ],
        ..TOKEN
    },
    Detector {
        id: "telegram-bot-token",
        name: "Telegram bot token",
        keywords: &[":aa"],
        pattern: r"(?:^|[^0-9A-Za-z]|\\[nrt]|%[0-9A-Fa-f]{2}|bot)(\d{8,10}:AA[0-9A-Za-z_\-]{33})(?:[^0-9A-Za-z_\-]|$)",
        advice: CHAT,
        positive: &["4531765481", ":AALaPmIu7", "d25105DqJD25zbvoa5krYPDLYw"],
        negative: &["4531765481", ":AALaPmIu7", "d25105DqJD25zbvoa5krYPDLY"],
        ..TOKEN
    },
    Detector {
        id: "stripe-live-key",
        name: "Stripe live key",
        keywords: &["sk_live_", "rk_live_"],
        pattern: word!("[sr]k_live_[0-9A-Za-z]{20,}"),
        severity: Severity::Critical,
        advice: SECRET_STORE,
        positive: &["sk_", "live_", "ODabsT2YiEHd", "dlGBMYqDamgL"],
        negative: &["sk_", "test_", "ODabsT2YiEHd", "dlGBMYqDamgL"],
        ..TOKEN
    },
    Detector {
        id: "square-token",
        name: "Square access token",
        keywords: &["sq0atp-", "sq0csp-", "eaaa"],
        window: Window::NEARBY,
        pattern: urlsafe!(r"sq0atp-[0-9A-Za-z_\-]{22}|sq0csp-[0-9A-Za-z_\-]{43}|EAAA[0-9A-Za-z_\-]{60}"),
        check: Some(verify::square),
        severity: Severity::Critical,
        advice: SECRET_STORE,
        positive: &["sq0", "atp-5oTwGxBObJao9ysz3e", "UAdi"],
        negative: &["sq0", "atp-5oTwGxBObJao9ysz3e", "UAd"],
        ..TOKEN
    },
    Detector {
        id: "shopify-token",
        name: "Shopify access token",
        keywords: &["shpat_", "shpca_", "shppa_", "shpss_"],
        pattern: word!("shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}"),
        advice: SECRET_STORE,
        positive: &["shp", "at_981495bfeec4b73de47", "7304f8d721903"],
        negative: &["shp", "at_981495bfeec4b73de47", "7304f8d72190"],
        ..TOKEN
    },
    Detector {
        id: "openai-key",
        name: "OpenAI key",
        keywords: &["t3blbkfj"],
        pattern: token!(r"sk-[0-9A-Za-z_\-]{20,}T3BlbkFJ[0-9A-Za-z_\-]{20,}"),
        positive: &[
            "sk",
            "-pr",
            "oj-",
            "osqohrX6b0_ilpC37Al1KkbkWM76TZXzckGjV",
            "AyKQlDKd0sIV6ZaHCEivWGoNJ2_T17kVG7Prm",
            "T3Bl",
            "bkFJ",
            "qZ_jgd5u6dH0WDiNSy_MeVA6kRF15vwsEfPsu",
            "a0j5duan1rmQbL1SkqiVoAS8vVFOBtE5rVZzK",
        ],
        negative: &[
            "sk",
            "-pr",
            "oj-",
            "osqohrX6b0_ilpC37Al1KkbkWM76TZXzckGjV",
            "AyKQlDKd0sIV6ZaHCEivWGoNJ2_T17kVG7Prm",
            "qZ_jgd5u6dH0WDiNSy_MeVA6kRF15vwsEfPsu",
            "a0j5duan1rmQbL1SkqiVoAS8vVFOBtE5rVZzK",
        ],
        ..TOKEN
    },
    Detector {
        id: "anthropic-key",
        name: "Anthropic key",
        keywords: &["sk-ant-"],
        pattern: token!(r"sk-ant-[a-z]{3,8}\d{2}-[0-9A-Za-z_\-]{80,}"),
        positive: &[
            "sk-",
            "ant-",
            "api03-",
            "CsOUT31ePOM6srWKMqnPozj6c52IkyQPn9KjNHtLtT",
            "f9vlrccJ73oQKO3MX73s6euV7mwNogb25ifpGs7pT1SrkP4_llVAA",
        ],
        negative: &["sk-", "ant-", "api03-", "CsOUT31ePOM6srWKMqnPozj6c52IkyQPn9KjNHtLtT"],
        ..TOKEN
    },
    Detector {
        id: "huggingface-token",
        name: "Hugging Face token",
        keywords: &["hf_", "api_org_"],
        pattern: word!("(?:hf|api_org)_[0-9A-Za-z]{34}"),
        positive: &["h", "f_", "pwimgbAeFHcxKLMTY", "oZnfcfPuPsIgooPTo"],
        negative: &["h", "f_", "pwimgbAeFHcxKLMTY", "oZnfcfPuPsIgooPT"],
        ..TOKEN
    },
    Detector {
        id: "groq-key",
        name: "Groq key",
        keywords: &["gsk_"],
        pattern: word!("gsk_[0-9A-Za-z]{52}"),
        positive: &["gsk", "_1PbEiFIb73RrbYDtaoJSA", "7e5cNQQjaJR6ztTH5xpUrj", "Arb7SckTH"],
        negative: &["gsk", "_1PbEiFIb73RrbYDtaoJSA", "7e5cNQQjaJR6ztTH5xpUrj", "Arb7SckT"],
        ..TOKEN
    },
    Detector {
        id: "replicate-token",
        name: "Replicate token",
        keywords: &["r8_"],
        pattern: word!("r8_[0-9A-Za-z]{37}"),
        positive: &["r", "8_", "WEerfVHNJOmXEIPXX", "T95Rvd7gR0jZBwj0Bhf6"],
        negative: &["r", "8_", "WEerfVHNJOmXEIPXX", "T95Rvd7gR0jZBwj0Bhf"],
        ..TOKEN
    },
    Detector {
        id: "npm-token",
        name: "npm access token",
        keywords: &["npm_"],
        pattern: word!("npm_[0-9A-Za-z]{36}"),
        check: Some(verify::npm),
        tier: Tier::Proved,
        severity: Severity::Critical,
        advice: PACKAGES,
        positive: &["npm", "_Rk5KOWKJlphfBRzkUCUid", "Gf5Riay034PYzaM"],
        negative: &["npm", "_Rk5KOWKJlphfBRzkUCUid", "Gf5Riay034PYzaA"],
        ..TOKEN
    },
    Detector {
        id: "npmrc-token",
        name: "npm registry token of the older kind",
        keywords: &["_authtoken"],
        pattern: r#"_authToken\s?=\s?"?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"#,
        tier: Tier::Paired,
        severity: Severity::Critical,
        advice: PACKAGES,
        positive: &["//registry.npmjs.org/:_auth", "Token=", "47b6820b-ca75", "-428a-a64b-", "dbe1c56abc6d"],
        negative: &["//registry.npmjs.org/:_auth", "Token=", "${NPM_TOKEN}"],
        ..TOKEN
    },
    Detector {
        id: "pypi-token",
        name: "PyPI token",
        keywords: &["pypi-ageichlwas5vcmc"],
        pattern: token!(r"pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_\-]{50,}"),
        check: Some(verify::pypi),
        tier: Tier::Proved,
        severity: Severity::Critical,
        advice: PACKAGES,
        positive: &[
            "py",
            "pi-AgEI",
            "cHlwaS5vcmc",
            "CJIzagmOB2KaNHmyFOXATHR2FRn3ABDov3TKbsUr",
            "okvhc6jz38QAABiDxsifmaCmlra_XnPkaJj2kttKVQ_1CupBbWtA7PLGbyQ",
        ],
        negative: &[
            "py",
            "pi-AgEI",
            "cHlwaS5vcmc",
            "FJIzagmOB2KaNHmyFOXATHR2FRn3ABDov3TKbsUr",
            "okvhc6jz38QAABiDxsifmaCmlra_XnPkaJj2kttKVQ_1CupBbWtA7PLGbyQ",
        ],
        ..TOKEN
    },
    Detector {
        id: "crates-io-token",
        name: "crates.io token",
        keywords: &["cio"],
        pattern: word!("cio(?:_tp_)?[0-9A-Za-z]{32}"),
        check: Some(verify::mixed),
        severity: Severity::Critical,
        advice: PACKAGES,
        positive: &["cio", "Ftsd122pBThcpZS3QijPuD", "xq9Ji0EAn0"],
        negative: &["cio", "ftsd122pbthcpzs3q", "abcdefghijklmno"],
        ..TOKEN
    },
    Detector {
        id: "rubygems-key",
        name: "RubyGems key",
        keywords: &["rubygems_"],
        pattern: word!("rubygems_[0-9a-f]{48}"),
        severity: Severity::Critical,
        advice: PACKAGES,
        positive: &["rub", "ygems_62aa714225e2077f", "6789e4a152e23aeba9bc66", "5dbc63a91c"],
        negative: &["rub", "ygems_62aa714225e2077f", "6789e4a152e23aeba9bc66", "5dbc63a91"],
        ..TOKEN
    },
    Detector {
        id: "docker-token",
        name: "Docker Hub token",
        keywords: &["dckr_pat_", "dckr_oat_"],
        pattern: urlsafe!(r"dckr_(?:pat_[0-9A-Za-z_\-]{27}|oat_[0-9A-Za-z_\-]{32})"),
        severity: Severity::Critical,
        advice: PACKAGES,
        positive: &["dckr", "_pat_", "6rSUlr_h59U", "ia_k2MEf5R5gEkzZ"],
        negative: &["dckr", "_pat_", "6rSUlr_h59U", "ia_k2MEf5R5gEkz"],
        ..TOKEN
    },
    Detector {
        id: "twilio-key",
        name: "Twilio API key",
        keywords: &["twilio"],
        window: Window::NEARBY,
        pattern: word!("SK[0-9a-f]{32}"),
        check: Some(verify::twilio),
        tier: Tier::Paired,
        positive: &["TWILIO_KEY=", "SK", "4f0ba7c6251edb58", "98f2f94af886a581"],
        negative: &["TALL_KEY=", "SK", "4f0ba7c6251edb58", "98f2f94af886a581"],
        ..TOKEN
    },
    Detector {
        id: "sendgrid-key",
        name: "SendGrid key",
        keywords: &["sg."],
        pattern: urlsafe!(r"SG\.[0-9A-Za-z_\-]{22}\.[0-9A-Za-z_\-]{43}"),
        positive: &["S", "G.", "f1heLVa_7uHA-OArMLPYVR.", "MweIQ-RGnCStWkxY3rrUI1", "jjxTWt8MhqdDj-Ac_wpaQ"],
        negative: &["S", "G.", "f1heLVa_7uHA-OArMLPYVR.", "MweIQ-RGnCStWkxY3rrUI1", "jjxTWt8MhqdDj-Ac_wpa"],
        ..TOKEN
    },
    Detector {
        id: "mailgun-key",
        name: "Mailgun key",
        keywords: &["mailgun"],
        window: Window::NEARBY,
        pattern: word!("key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
        check: Some(verify::mailgun),
        tier: Tier::Paired,
        positive: &["mailgun: k", "ey-", "2efc6cfef57f9d6f", "d35989d260c37e79"],
        negative: &["mail: k", "ey-", "2efc6cfef57f9d6f", "d35989d260c37e79"],
        ..TOKEN
    },
    Detector {
        id: "mailchimp-key",
        name: "Mailchimp key",
        keywords: &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"],
        pattern: word!(r"[0-9a-f]{32}-us\d{1,2}"),
        positive: &["56a025060cb03286", "cb214695df1db69b", "-us", "14"],
        negative: &["56a025060cb03286", "cb214695df1db69", "-us", "14"],
        ..TOKEN
    },
    Detector {
        id: "digitalocean-token",
        name: "DigitalOcean token",
        keywords: &["dop_v1_", "doo_v1_", "dor_v1_"],
        pattern: word!("do[opr]_v1_[0-9a-f]{64}"),
        severity: Severity::Critical,
        positive: &["do", "p_v1_", "79ef80fb63b4e9b69129ce320e412a539", "51fbd154e00c533bef1aad4a79ce640"],
        negative: &["do", "p_v1_", "79ef80fb63b4e9b69129ce320e412a539", "51fbd154e00c533bef1aad4a79ce64"],
        ..TOKEN
    },
    Detector {
        id: "heroku-token",
        name: "Heroku token",
        keywords: &["hrku-"],
        pattern: token!(r"HRKU-AA[0-9A-Za-z_\-]{40,}"),
        positive: &["HRK", "U-AAfm2xt0a0u3_p4FKDLr", "3sNVNK6MGpqtjAmehtlaDt", "XfR6jy3jejY_j5s204"],
        negative: &["HRK", "U-AAfm2xt0a0u3_p4FKDLr", "3sNVN"],
        ..TOKEN
    },
    Detector {
        id: "heroku-api-key",
        name: "Heroku API key",
        keywords: &["heroku"],
        pattern: r#"(?i)heroku[\w .\-]{0,24}(?:key|token|secret|auth)\w{0,10}["'`\]]{0,2}\s{0,4}(?:=>|[:=,])\s{0,4}["'`]?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[^0-9A-Za-z\-]|$)"#,
        tier: Tier::Paired,
        positive: &["HEROKU_API_", "KEY=", "e0569c30-4f63-432b", "-a16c-85d57f9a0521"],
        negative: &["HEROKU_APP_", "ID=", "e0569c30-4f63-432b", "-a16c-85d57f9a0521"],
        ..TOKEN
    },
    Detector {
        id: "databricks-token",
        name: "Databricks token",
        keywords: &["dapi"],
        pattern: word!(r"dapi[0-9a-f]{32}(?:-\d)?"),
        positive: &["dap", "i76c71e876176bad40154c", "431c42684fc"],
        negative: &["dap", "i76c71e876176bad40154c", "431c42684f"],
        ..TOKEN
    },
    Detector {
        id: "vault-token",
        name: "HashiCorp Vault token",
        keywords: &["hvs.", "hvb.", "hvr."],
        pattern: token!(r"hv[sbr]\.[0-9A-Za-z_\-]{24,}"),
        severity: Severity::Critical,
        advice: SECRET_STORE,
        positive: &[
            "hv",
            "s.",
            "CAESIV6uJcOIVAbjlwK8AWX-utd8iDOpY9s2",
            "6rsIFDpfIDaGm5bkcIvu7lmE7BO7HZaii561iGSgN3Nqga05JoM9YJwivnw",
        ],
        negative: &["hv", "s.", "CAESIV6uJcOIVAbjlwK8"],
        ..TOKEN
    },
    Detector {
        id: "terraform-token",
        name: "Terraform Cloud token",
        keywords: &[".atlasv1."],
        pattern: token!(r"[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=\-]{60,}"),
        severity: Severity::Critical,
        advice: SECRET_STORE,
        positive: &[
            "Qlr1urNCj4RTtg",
            ".atlas",
            "v1.",
            "xzZxTx5ah5dOkx5Pe3JMgblyvyxKxZRC3",
            "wbF1nbQkcEqbiAyFFExZTkSVVaY3GbkerG",
        ],
        negative: &["Qlr1urNCj4RTtg", ".atlas", "v1.", "xzZxTx5ah5dOkx5Pe3JMgblyvyxKxZRC3"],
        ..TOKEN
    },
    Detector {
        id: "doppler-token",
        name: "Doppler token",
        keywords: &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        pattern: word!(r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[0-9a-z_\-]{2,35}\.)?[0-9A-Za-z]{40,44}"),
        severity: Severity::Critical,
        advice: SECRET_STORE,
        positive: &["dp.", "pt.b6m8VpwmVgMw8IySpQO", "R688pZXV40kKBhXHX6nvcc", "We"],
        negative: &["dp.", "pt.b6m8VpwmVgMw8IySpQO", "R688pZXV40kKBhX"],
        ..TOKEN
    },
    Detector {
        id: "linear-key",
        name: "Linear key",
        keywords: &["lin_api_", "lin_oauth_"],
        pattern: word!("lin_(?:api_[0-9A-Za-z]{40}|oauth_[0-9A-Za-z]{64})"),
        severity: Severity::Medium,
        positive: &["lin", "_api_", "kvvyVAb9D5NMxMqbOh10", "XUAkysxF1uWvwFAPlE2L"],
        negative: &["lin", "_api_", "kvvyVAb9D5NMxMqbOh10", "XUAkysxF1uWvwFAPlE2"],
        ..TOKEN
    },
    Detector {
        id: "notion-token",
        name: "Notion token",
        keywords: &["ntn_", "secret_"],
        pattern: word!(r"ntn_\d{11}[0-9A-Za-z]{35}|secret_[0-9A-Za-z]{43}"),
        check: Some(verify::mixed),
        positive: &["ntn", "_51006505636SEuY2GcBiq", "pPnRTKqaByyb79r8qSvcbK", "oHs"],
        negative: &["ntn", "_51006505636SEuY2GcBiq", "pPnRTKqaByyb79r8qSvcbK", "oH"],
        ..TOKEN
    },
    Detector {
        id: "postman-key",
        name: "Postman key",
        keywords: &["pmak-"],
        pattern: word!("PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
        severity: Severity::Medium,
        positive: &["PMA", "K-bb321b4a475ea182c693", "4d68-95e340103f1669365", "3d0d8daf2079211b9"],
        negative: &["PMA", "K-bb321b4a475ea182c693", "4d68-95e340103f1669365", "3d0d8daf2079211b"],
        ..TOKEN
    },
    Detector {
        id: "sentry-organization-token",
        name: "Sentry organization token",
        keywords: &["sntrys_"],
        pattern: token!("sntrys_eyJ[0-9A-Za-z+/=]{20,}_[0-9A-Za-z+/]{43}"),
        check: Some(verify::sentry_organization),
        tier: Tier::Proved,
        positive: &[
            "sntr",
            "ys_",
            "eyJpYXQiOjE3ODQwMjE1MzMuMTIsInVybCI6Imh0",
            "dHBzOi8vc2VudHJ5LmlvIiwicmVnaW9uX3VybCI6Imh0dHBzOi8vZGUuc2VudHJ5LmlvIiwib3JnIjoiYWNtZSJ9",
            "_",
            "u6VncJfPULbuDrBZnFt+/2x",
            "+SuPj4tT+dHN7nsJzdHt",
        ],
        negative: &[
            "sntr",
            "ys_ey",
            "JXX",
            "QiOjE3ODQwMjE1MzMuMTIsInVybCI6Imh0",
            "dHBzOi8vc2VudHJ5LmlvIiwicmVnaW9uX3VybCI6Imh0dHBzOi8vZGUuc2VudHJ5LmlvIiwib3JnIjoiYWNtZSJ9",
            "_",
            "u6VncJfPULbuDrBZnFt+/2x",
            "+SuPj4tT+dHN7nsJzdHt",
        ],
        ..TOKEN
    },
    Detector {
        id: "sentry-user-token",
        name: "Sentry user token",
        keywords: &["sntryu_"],
        pattern: word!("sntryu_[0-9a-f]{64}"),
        positive: &["sntr", "yu_", "e0859485dea8edbd9c764cc70c5d9bb87", "1af73bc1ab499e7becd810fe74a7ef8"],
        negative: &["sntr", "yu_", "e0859485dea8edbd9c764cc70c5d9bb87", "1af73bc1ab499e7becd810fe74a7ef"],
        ..TOKEN
    },
    Detector {
        id: "new-relic-key",
        name: "New Relic key",
        keywords: &["nrak-"],
        pattern: word!("NRAK-[0-9A-Z]{27}"),
        positive: &["NRA", "K-SO17SNYWNN1FP6RSAI6N", "3UZOVAT"],
        negative: &["NRA", "K-SO17SNYWNN1FP6RSAI6N", "3UZOVA"],
        ..TOKEN
    },
    Detector {
        id: "grafana-token",
        name: "Grafana service account token",
        keywords: &["glsa_"],
        pattern: word!("glsa_[0-9A-Za-z]{32}_[0-9a-f]{8}"),
        check: Some(verify::grafana),
        tier: Tier::Proved,
        positive: &["gl", "sa_", "hGagII42CvCM2GvM", "0ddds9hHfQxtDib1", "_5e0fe22e"],
        negative: &["gl", "sa_", "hGagII42CvCM2GvM", "0ddds9hHfQxtDib1", "_5e0fe220"],
        ..TOKEN
    },
    Detector {
        id: "age-secret-key",
        name: "age secret key",
        keywords: &["age-secret-key-1"],
        pattern: word!("AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"),
        check: Some(verify::age),
        tier: Tier::Proved,
        severity: Severity::Critical,
        advice: KEY_FILE,
        positive: &["AGE-SEC", "RET-KEY-1", "FJ8G90CGLRPMVXKHRSRK973RP4GQW3", "HV38TDMCJNGSZZ3ANZDV8SRXXXM3"],
        negative: &["AGE-SEC", "RET-KEY-1", "FJ8G90CGLRPMVXKHRSRK973RP4GQW3", "HV38TDMCJNGSZZ3ANZDV8SRXXXMQ"],
        ..TOKEN
    },
    Detector {
        id: "private-key",
        name: "private key",
        keywords: &["private key-----"],
        pattern: block!("(?:(?:RSA|EC|DSA|OPENSSH) )?PRIVATE KEY"),
        positive: &[
            "-----BEGIN PRI",
            "VATE KEY-----\n",
            "MC4CAQAwBQYDK2VwBCIEIFq5XocS3L",
            "RNTDSFnLVfaBJMtli04TxWJzz9jysqoOUD",
            "\n-----END PRI",
            "VATE KEY-----\n",
        ],
        negative: &["-----BEGIN PRI", "VATE KEY-----\n", "MIIEpAIBAAKCAQEA", "...\n-----END PRI", "VATE KEY-----\n"],
        ..KEY
    },
    Detector {
        id: "encrypted-private-key",
        name: "private key under a passphrase",
        keywords: &["private key-----"],
        pattern: block!("(?:(?:RSA|EC|DSA|ENCRYPTED) )?PRIVATE KEY"),
        check: Some(key_block::encrypted),
        tier: Tier::Strong,
        severity: Severity::Medium,
        positive: &[
            "-----BEGIN ENCRYPTED PRI",
            "VATE KEY-----",
            "\n",
            "MIGjMF8GCSqGSIb3DQEFDTBSRQRnuiGu",
            "uFPYbOEORlBFjzu5zbfc0+HxlRijrN/f",
            "\n",
            "e+Y1Cofd3R+e2iE9y2GBoGBpPuxnGIJG",
            "Sbx3527aSCVs2Gbjo4eAnDCq/yamlv0i",
            "\n",
            "IPMeNoA7JBlK8q7+UX4r1KfasgT6eaOt",
            "y8QQQUnlc1abU2VvquDGd19CjOExNRur",
            "\n",
            "xay4s3nisNzLpkirPO/pS5DQp6EdCQ==",
            "\n-----END ENCRYPTED PRI",
            "VATE KEY-----",
        ],
        negative: &[
            "-----BEGIN ENCRYPTED PRI",
            "VATE KEY-----\n",
            "MIIEpAIBAAKCAQEA",
            "...\n-----END ENCRYPTED PRI",
            "VATE KEY-----",
        ],
        ..KEY
    },
    Detector {
        id: "pgp-private-key",
        name: "PGP private key",
        keywords: &["private key block-----"],
        pattern: block!("PGP PRIVATE KEY BLOCK"),
        check: Some(key_block::pgp),
        positive: &[
            "-----BEGIN PGP PRI",
            "VATE KEY BLOCK-----\n",
            "\n",
            "lQHYBPGhUZ/9PxYu6mjHPF/D27CCtgut",
            "lblsgDPKdgiPdCjxCgZhccoYGBgt8bdj",
            "\n",
            "GnTUKoi3nKKUaEvqppx/oGrdzLCSawx9",
            "UliLRU/8JsT4S7X5h1vEQPQRCNnqHxkT",
            "\n",
            "BTFD2I7gsuagGiCfrHpKkY0kEQaEUSq0",
            "o1CAQRewY74lTmmyeZ93VSSNnV3YofbU",
            "\n=njUN\n-----END PGP PRI",
            "VATE KEY BLOCK-----",
        ],
        negative: &[
            "-----BEGIN PGP PRI",
            "VATE KEY BLOCK-----\n\n",
            "lQHYBF...\n",
            "-----END PGP PRI",
            "VATE KEY BLOCK-----",
        ],
        ..KEY
    },
    Detector {
        id: "putty-private-key",
        name: "PuTTY private key",
        keywords: &["private-lines:"],
        pattern: concat!(r"Private-Lines: ?\d{1,3}((?:", gap!(), "[0-9A-Za-z+/=]{20,})+)"),
        check: Some(verify::opaque),
        tier: Tier::Strong,
        positive: &[
            "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-",
            "Lines: 2\n",
            "X/o5K3JKyoaXMg5Rj3pAQfeg",
            "tY+DTMRzWTSkKS7yUvyDxX4T",
            "\n",
            "TlLa+qBr6aH3qvLlxR4HrKod",
            "IJIkdS97ea0pTFO84PSOrPM/",
            "\n",
        ],
        negative: &["PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-", "Lines: 2\n", "(the key)\n"],
        ..KEY
    },
    Detector {
        id: "database-url",
        name: "password in a database URL",
        keywords: &[
            "postgres",
            "mysql",
            "mariadb",
            "mongodb",
            "redis",
            "amqp",
            "mssql",
            "sqlserver",
            "clickhouse",
            "cockroach",
        ],
        pattern: r#"(?i)(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb)(?:\+[a-z0-9_]{1,16})?://[^\s/:@"'`<>\\]*:([^\s/@"'`<>\\]{3,})@[0-9A-Za-z\[]"#,
        check: Some(url::service),
        tier: Tier::Paired,
        severity: Severity::Critical,
        advice: LOGIN,
        positive: &["postgres://app:", "vR7kq2Zp9wTx", "@db.acme.io:5432/app"],
        negative: &["postgres://postgres:", "postgres", "@localhost:5432/app"],
        ..TOKEN
    },
    Detector {
        id: "url-credentials",
        name: "password in a URL",
        keywords: &["://"],
        pattern: r#"(?i)(?:https?|ftps?|sftp|ssh|git|wss?|smtps?|imaps?|ldaps?|svn|nats|mqtts?|socks5h?)(?:\+[a-z]{1,8})?://[^\s/:@"'`<>?#\\]+:([^\s/:@"'`<>?#\\]{3,})@[0-9A-Za-z\[]"#,
        check: Some(url::site),
        tier: Tier::Paired,
        advice: LOGIN,
        positive: &["https://deploy:", "vR7kq2Zp9wTx", "@git.acme.io/app.git"],
        negative: &["https://user:", "password", "@example.com/"],
        ..TOKEN
    },
    Detector {
        id: "basic-authorization",
        name: "password in an Authorization header",
        keywords: &["basic "],
        pattern: r#"(?i)authorization\\{0,2}["'`]?\s{0,4}[:=,]\s{0,4}\\{0,2}["'`]?basic\s{1,4}([0-9a-z+/]{8,}={0,2})"#,
        check: Some(verify::basic_authorization),
        tier: Tier::Paired,
        advice: HEADER,
        positive: &["Author", "ization: Ba", "sic ", "ZGVwbG95On", "ZSN2txMlpwOXdUeA=="],
        negative: &["Author", "ization: Ba", "sic ", "dXNlcjpwYXNzd29yZA=="],
        ..TOKEN
    },
    Detector {
        id: "checksum-mismatch",
        name: "token with a wrong checksum",
        keywords: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_", "glsa_"],
        pattern: word!("gh[pousr]_[0-9A-Za-z]{36}|npm_[0-9A-Za-z]{36}|glsa_[0-9A-Za-z]{32}_[0-9a-f]{8}"),
        check: Some(verify::wrong_checksum),
        tier: Tier::Generic,
        severity: Severity::Medium,
        positive: &["npm", "_sda2mmQj03YVN8arUh6R0", "rdtnYD9zBc1rmDz"],
        negative: &["ghp", "_", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ..TOKEN
    },
    Detector {
        id: "jwt",
        name: "JSON web token",
        keywords: &["eyj"],
        pattern: token!(r"eyJ[0-9A-Za-z_\-]{8,}\.eyJ[0-9A-Za-z_\-]{8,}\.[0-9A-Za-z_\-]{16,}"),
        check: Some(verify::jwt),
        tier: Tier::Generic,
        severity: Severity::Medium,
        positive: &[
            "eyJhbGciOi",
            "JIUzI1NiIsInR5cCI6IkpXVCJ9",
            ".",
            "eyJzdWIiOi",
            "J1LTQ4MTIiLCJleHAiOjE4OTAwMDAwMDB9",
            ".",
            "jPxovNpZJveOD11h77Apnx",
            "pSKROahN55IU8rgBmNtlI",
        ],
        negative: &[
            "eyJhbGciOi",
            "JIUzI1NiIsInR5cCI6IkpXVCJ9",
            ".",
            "eyJzdWIiOi",
            "IxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
            ".",
            "jPxovNpZJveOD11h77Apnx",
            "pSKROahN55IU8rgBmNtlI",
        ],
        ..TOKEN
    },
    Detector {
        id: "bearer-token",
        name: "bearer token in a header",
        keywords: &["bearer"],
        pattern: r"(?i)bearer\s{1,4}([0-9a-z_\-.=+/~]{20,})",
        check: Some(verify::bearer),
        tier: Tier::Generic,
        severity: Severity::Medium,
        advice: HEADER,
        positive: &["Author", "ization: Bea", "rer ", "6g3qmXBFIXJBEqs3Zta9", "zf411WGJNsr5meBpVQhC"],
        negative: &["Author", "ization: Bea", "rer your-", "access-token-here"],
        ..TOKEN
    },
    Detector {
        id: "generic-secret",
        name: "value of a name that promises a secret",
        keywords: &[
            "password",
            "passwd",
            "passphrase",
            "pwd",
            "secret",
            "token",
            "api_key",
            "apikey",
            "api-key",
            "access_key",
            "accesskey",
            "access-key",
            "auth_key",
            "authkey",
            "private_key",
            "privatekey",
            "encryption_key",
            "encryptionkey",
            "credential",
        ],
        pattern: concat!(
            r"(?i)(?:password|passwd|passphrase|pwd|secret|token|credential|(?:api|access|auth|private|encryption)[_\-]?key)",
            r#"[0-9a-z_\-.]{0,24}\\{0,2}["'`]?\]?(?:\s{0,2}:\s{0,2}[&a-z][0-9a-z_<>&' ]{0,24}=)?"#,
            r#"\s{0,4}(?:(?:=>|:?={1,2}|[:,(]\s{0,4}=?|)\s{0,4}\\{0,2}["'`]([^\s"'`\\]{8,})\\{0,2}["'`]"#,
            r#"|[:=]\s{0,4}([0-9a-z+/_\-.~!@%^*=]{12,})(?:[\s;,&"'`)\]}|\\#]|$))"#
        ),
        check: Some(assignment::secret),
        tier: Tier::Generic,
        severity: Severity::Medium,
        positive: &["api_k", "ey = \"", "xJKBPelvzzxc", "QfZwBy5a7Yio", "\""],
        negative: &["api_k", "ey = \"your-api", "-key-here\""],
        ..TOKEN
    },
];
