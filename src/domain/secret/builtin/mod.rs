//! The searches that no expression can describe, by name.
//!
//! Each begins at a keyword of its entry and looks at a bounded stretch of text around it.

mod account;
mod armor;
mod assignment;
mod call;
mod cloud;
mod file;
mod header;
mod login;
mod name;

use std::{cell::Cell, ops::Range};

pub(super) use name::names_provider;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assignment::Assignment;
use super::detector::Tier;

/// A search that is implemented in the program. Its entry lists the literals to search for under
/// `keywords`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Builtin {
    /// A PEM block with an unencrypted private key: PKCS 1, PKCS 8, SEC 1, DSA or OpenSSH.
    PrivateKey,
    /// A PEM block with a private key under a passphrase.
    EncryptedPrivateKey,
    /// An armoured block of PGP with a secret key.
    PgpPrivateKey,
    /// The private lines of a `PuTTY` key file.
    PuttyPrivateKey,
    /// The private key in the JSON of a Google service account.
    ServiceAccount,
    /// A password in the URL or the connection string of a database, a cache or a queue.
    ConnectionUrl,
    /// A password in any other URL.
    UrlLogin,
    /// The value of an `Authorization: Basic` header.
    BasicAuthorization,
    /// The value of an `Authorization: Bearer` header, and of the like.
    BearerAuthorization,
    /// A user and a password on a command line: `curl -u`, `mysql -p`, `sshpass -p`, `docker login -p`.
    CommandLogin,
    /// A password that a command sets for an account: `chpasswd`, `htpasswd -b`.
    AccountPassword,
    /// A password that a call is given behind the user: `connect("app", "…")`.
    CallLogin,
    /// A value of a Secret of Kubernetes, in base64 or plain.
    KubernetesSecret,
    /// A login in the configuration of Docker or of a package registry (`"auth": "…"`, `_auth=…`).
    RegistryLogin,
    /// A password in `.netrc`.
    Netrc,
    /// A password in `.pgpass`.
    Pgpass,
    /// A secret key of AWS, named so or beside its id.
    AwsSecretKey,
    /// The signature of a shared-access URL of Azure.
    AzureSignature,
    /// A value that looks random or like a password, with a name that suggests a secret.
    Assignment,
    /// A value that can only be random, under the name of a provider and nothing else.
    ProviderName,
    /// A value that can only be random, among the arguments of a command or fed to it.
    OptionValue,
}

/// A value that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BuiltinMatch {
    /// Its span, in bytes.
    pub span: Range<usize>,
    /// How certain the match is.
    pub tier: Tier,
}

/// A keyword in a text.
#[derive(Debug)]
pub(super) struct KeywordContext<'t> {
    pub text: &'t str,
    pub keyword_span: Range<usize>,
    /// How far searches of the same kind have read that read a stretch once, however many keywords are in it.
    pub scanned_to: &'t Cell<usize>,
    /// The number of bytes read, which tests limit.
    pub bytes_scanned: &'t Cell<usize>,
}

impl<'t> KeywordContext<'t> {
    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    fn slice(&self, span: &Range<usize>) -> &'t str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// Returns the text of a span whose ends may be beyond the text or inside a character.
    fn slice_around(&self, span: Range<usize>) -> &'t str {
        let end = self.text.floor_char_boundary(span.end.min(self.text.len()));
        let start = self.text.ceil_char_boundary(span.start.min(end));
        self.bytes_scanned.set(self.bytes_scanned.get() + end.saturating_sub(start));
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the keyword as written in the text.
    fn keyword(&self) -> &'t str {
        self.slice(&self.keyword_span)
    }

    /// Returns the part of the keyword that belongs to a name, without operators and marks beside it.
    fn keyword_name(&self) -> Range<usize> {
        let keyword = self.keyword();
        let is_mark = |sign: char| !sign.is_ascii_alphanumeric() && sign != '_' && sign != '-';
        let (left, right) = (keyword.trim_start_matches(is_mark), keyword.trim_end_matches(is_mark));
        self.keyword_span.end - left.len()..self.keyword_span.start + right.len()
    }

    /// Returns the name that contains the keyword.
    fn name(&self) -> Option<Range<usize>> {
        let word = self.keyword_name();
        (word.start < word.end).then(|| super::assignment::name_span(self.bytes(), &word))
    }

    /// Returns the assignment to the name that contains the keyword.
    fn assignment(&self) -> Option<Assignment> {
        let given = super::assignment::parse(self.bytes(), self.keyword_name());
        let end = given.as_ref().map_or(self.keyword_span.end, |given| given.value.end);
        self.bytes_scanned.set(self.bytes_scanned.get() + end - self.keyword_span.start);
        given
    }
}

impl Builtin {
    /// Returns the secrets of this kind at a keyword.
    pub(super) fn find(self, place: &KeywordContext<'_>) -> Vec<BuiltinMatch> {
        let one = match self {
            Self::AwsSecretKey => return cloud::aws_secret_keys(place),
            Self::KubernetesSecret => return file::kubernetes_secrets(place),
            Self::Assignment => return assignment::find(place),
            Self::PrivateKey
            | Self::EncryptedPrivateKey
            | Self::PgpPrivateKey
            | Self::PuttyPrivateKey
            | Self::ServiceAccount => armor::find(place, self),
            Self::ConnectionUrl => login::service_login(place),
            Self::UrlLogin => login::site_login(place),
            Self::BasicAuthorization => header::basic_authorization(place),
            Self::BearerAuthorization => header::bearer_authorization(place),
            Self::CommandLogin => header::command_login(place),
            Self::AccountPassword => account::find(place),
            Self::CallLogin => call::find(place),
            Self::RegistryLogin => file::registry_login(place),
            Self::Netrc => file::netrc_password(place),
            Self::Pgpass => file::pgpass_password(place),
            Self::AzureSignature => cloud::azure_signature(place),
            Self::ProviderName => assignment::provider_value(place),
            Self::OptionValue => assignment::option_value(place),
        };
        one.into_iter().collect()
    }
}
