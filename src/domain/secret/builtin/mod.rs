//! The searches that no expression can say, by name.
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

use std::{cell::Cell, ops::Range};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    assigned::{self, Given},
    detector::Tier,
};

/// A search that is written in the program. Its entry says under `keywords` where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Builtin {
    /// A PEM block with a private key that stands open: PKCS 1, PKCS 8, SEC 1, DSA or OpenSSH.
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
    /// A value that looks random, or like a password that somebody chose, under a name that promises a secret.
    Assignment,
}

/// A value that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// How well it is proved.
    pub tier: Tier,
}

/// A keyword in a text.
#[derive(Debug)]
pub(super) struct Place<'t> {
    pub text: &'t str,
    pub at: Range<usize>,
    /// How far searches of the same kind came that look at a stretch once, however many keywords are in it.
    pub done: &'t Cell<usize>,
    /// Bytes looked at, so that tests can hold their number.
    pub work: &'t Cell<usize>,
}

impl<'t> Place<'t> {
    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    fn slice(&self, span: &Range<usize>) -> &'t str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// Returns the text of a stretch whose ends may lie beyond the text or inside of a character.
    fn around(&self, span: Range<usize>) -> &'t str {
        let end = self.text.floor_char_boundary(span.end.min(self.text.len()));
        let start = self.text.ceil_char_boundary(span.start.min(end));
        self.work.set(self.work.get() + end.saturating_sub(start));
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the keyword as it stands in the text.
    fn keyword(&self) -> &'t str {
        self.slice(&self.at)
    }

    /// Returns what the name is given in which the keyword stands.
    fn given(&self) -> Option<Given> {
        let marks = usize::from(self.keyword().starts_with('"'));
        let given = assigned::read(self.bytes(), self.at.start + marks..self.at.end - marks);
        let end = given.as_ref().map_or(self.at.end, |given| given.value.end);
        self.work.set(self.work.get() + end - self.at.start);
        given
    }
}

impl Builtin {
    /// Returns the secrets of this kind at a keyword.
    pub(super) fn find(self, place: &Place<'_>) -> Vec<Found> {
        let one = match self {
            Self::AwsSecretKey => return cloud::aws(place),
            Self::KubernetesSecret => return file::kubernetes(place),
            Self::PrivateKey
            | Self::EncryptedPrivateKey
            | Self::PgpPrivateKey
            | Self::PuttyPrivateKey
            | Self::ServiceAccount => armor::find(place, self),
            Self::ConnectionUrl => login::service(place),
            Self::UrlLogin => login::site(place),
            Self::BasicAuthorization => header::basic(place),
            Self::BearerAuthorization => header::bearer(place),
            Self::CommandLogin => header::command(place),
            Self::AccountPassword => account::find(place),
            Self::CallLogin => call::find(place),
            Self::RegistryLogin => file::registry(place),
            Self::Netrc => file::netrc(place),
            Self::Pgpass => file::pgpass(place),
            Self::AzureSignature => cloud::azure_signature(place),
            Self::Assignment => assignment::find(place),
        };
        one.into_iter().collect()
    }
}
