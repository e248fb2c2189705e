//! Accounts: the identity of a worker at the NATS server.
//!
//! An account is a user of the server, or an nkey. It is one token of every subject that its workers publish on, and
//! the server's permissions let each account publish on its own subjects only (`docs/grid.md`). A worker's own name
//! is only a label.

use std::fs;
use std::path::Path;

use async_nats::ConnectOptions;
use nkeys::KeyPair;

use super::connection::{Access, Credentials, log_in};
use crate::error::GridError;

/// The account of all clients of a server without users: no login, or one shared token.
pub(super) const SHARED: &str = "shared";
/// The longest name of an account.
const LONGEST: usize = 64;

/// Whether a text can be an account: one token of a subject, without control characters.
pub(super) fn is_account(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(plain)
}

impl Access {
    /// Whether the server distinguishes its clients, judging by one's own login. Otherwise all are one account.
    pub(super) fn has_accounts(&self) -> bool {
        self.certificate.is_some() || !matches!(self.login, Credentials::None | Credentials::Token(_))
    }

    /// The account to work as: the requested one, the user name, or the public key of an nkey.
    pub fn account(&self) -> Result<String, GridError> {
        // The same error text as when the connection reads the file.
        log_in(ConnectOptions::new(), &self.login)?;
        let account = match (&self.account, &self.login) {
            (Some(account), _) => account.clone(),
            (None, Credentials::User(user, _)) => user.clone(),
            (None, Credentials::Nkey(path) | Credentials::Creds(path)) => public_key(path)?,
            (None, Credentials::None | Credentials::Token(_)) => SHARED.to_owned(),
        };
        if is_account(&account) { Ok(account) } else { Err(GridError::Account(account)) }
    }
}

/// The public key of the seed in a file: a plain seed, or credentials as written by `nsc`.
fn public_key(path: &Path) -> Result<String, GridError> {
    let unusable = |why: String| GridError::CredentialsFile { path: path.display().to_string(), why };
    let text = fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
    let seed = seed.ok_or_else(|| unusable("there is no seed of a user's nkey in it".to_owned()))?;
    KeyPair::from_seed(seed).map(|pair| pair.public_key()).map_err(|error| unusable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(login: Credentials) -> Access {
        Access { login, ..Access::default() }
    }

    #[test]
    fn an_account_is_the_user_or_its_key() {
        let user = access(Credentials::User("alice".to_owned(), "secret".to_owned()));
        assert_eq!((user.account().unwrap().as_str(), user.has_accounts()), ("alice", true));
        let token = access(Credentials::Token("all".to_owned()));
        assert_eq!((token.account().unwrap().as_str(), token.has_accounts()), (SHARED, false));
        let file = std::env::temp_dir().join(format!("tabia-seed-{}", std::process::id()));
        fs::write(&file, "----\nSUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n----\n").unwrap();
        let key = public_key(&file);
        fs::remove_file(file).unwrap();
        assert_eq!(key.unwrap(), "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4");
        let named = Access { account: Some("mine".to_owned()), ..user };
        assert_eq!(named.account().unwrap(), "mine");
    }

    #[test]
    fn what_would_reach_into_another_subject_is_no_account() {
        for wrong in ["", "a.b", "*", ">", "a b", "\u{1b}[31m", "ä", &"x".repeat(65)] {
            assert!(!is_account(wrong), "{wrong}");
            let user = access(Credentials::User(wrong.to_owned(), String::new()));
            assert!(matches!(user.account(), Err(GridError::Account(_))), "{wrong}");
        }
    }
}
