//! The searches that no expression can say, by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
