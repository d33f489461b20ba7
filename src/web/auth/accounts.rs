//! Who is what: roles, and people who have a PIN of their own.
//!
//! The house PIN is the administrator's. As long as nobody has a PIN of his own, everybody who knows the
//! house PIN may do everything; a name with a PIN of its own is nobody else's.

use std::io;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Auth, AuthError, Inner, check_pin, checked_name};

/// More people than any hall has.
const ACCOUNTS: usize = 200;

/// What somebody who is logged in may do.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// See the hall, and nothing else: a screen of the organisers.
    Screen,
    /// Boards, clocks and what they need.
    Operator,
    /// Take alerts, decide, enter results.
    Arbiter,
    /// And pair, publish, start and close rounds, set the arbiters, decide protests.
    Chief,
    /// And say who may do what.
    #[default]
    Administrator,
}

impl Role {
    /// For people, e.g. in a refusal.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Screen => "a screen",
            Self::Operator => "an operator",
            Self::Arbiter => "an arbiter",
            Self::Chief => "the chief arbiter",
            Self::Administrator => "the administrator",
        }
    }

    /// Whether he may do what is another role's.
    pub const fn may(self, needed: Self) -> bool {
        match needed {
            Self::Screen => true,
            // An arbiter puts a board right when no operator is near.
            Self::Operator => !matches!(self, Self::Screen),
            Self::Arbiter => matches!(self, Self::Arbiter | Self::Chief | Self::Administrator),
            Self::Chief => matches!(self, Self::Chief | Self::Administrator),
            Self::Administrator => matches!(self, Self::Administrator),
        }
    }
}

/// Somebody with a PIN of his own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) pin_hash: String,
}

/// Who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// His name, as the record has it.
    pub name: String,
    /// What he may do.
    pub role: Role,
}

/// Somebody with a PIN of his own, without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AccountView {
    /// His name.
    pub name: String,
    /// What he may do.
    pub role: Role,
}

/// Names are the same whatever their capitals.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}

impl Auth {
    /// Everybody with a PIN of his own, by name.
    pub fn accounts(&self) -> Vec<AccountView> {
        let inner = self.lock();
        let view = |account: &Account| AccountView {
            name: account.name.clone(),
            role: account.role,
        };
        let mut all: Vec<AccountView> = inner.store.accounts().iter().map(view).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Gives somebody a PIN and a role of his own, or others than he had. His sessions end.
    pub async fn set_account(&self, name: &str, role: Role, pin: &str) -> Result<(), AuthError> {
        let name = checked_name(name)?;
        check_pin(pin)?;
        let pin_hash = self.hash(pin).await?;
        let mut inner = self.lock();
        let account = Account {
            name,
            role,
            pin_hash,
        };
        let mut accounts = inner.store.accounts().to_vec();
        accounts.retain(|other| !same_name(&other.name, &account.name));
        if accounts.len() >= ACCOUNTS {
            return Err(AuthError::Full);
        }
        let name = account.name.clone();
        accounts.push(account);
        inner.store.set_accounts(accounts)?;
        inner.end_sessions_of(&name)?;
        Ok(())
    }

    /// Takes somebody's own PIN away. His sessions end. Says whether he had one.
    pub fn remove_account(&self, name: &str) -> Result<bool, AuthError> {
        let mut inner = self.lock();
        let mut accounts = inner.store.accounts().to_vec();
        let before = accounts.len();
        accounts.retain(|account| !same_name(&account.name, name));
        if accounts.len() == before {
            return Ok(false);
        }
        inner.store.set_accounts(accounts)?;
        inner.end_sessions_of(name)?;
        Ok(true)
    }

    /// Another house PIN. All sessions end but that of `token`: whoever knew the old one knows this one from
    /// the administrator or not at all.
    pub async fn set_house_pin(&self, pin: &str, token: &str) -> Result<(), AuthError> {
        check_pin(pin)?;
        let hash = self.hash(pin).await?;
        let mut inner = self.lock();
        inner.store.set_pin_hash(hash)?;
        let own: Vec<String> = (inner.store.accounts().iter())
            .map(|account| account.name.clone())
            .collect();
        inner.store.retain(|session| {
            session.token == token || own.iter().any(|name| same_name(name, &session.name))
        })?;
        Ok(())
    }
}

/// What a name's PIN is checked against, and what it makes of him.
pub(super) struct Credentials {
    pub(super) hash: String,
    pub(super) visitor: Visitor,
    /// It is a PIN of his own.
    pub(super) own: bool,
}

impl Inner {
    /// `None` while there is no PIN at all.
    pub(super) fn credentials(&self, name: &str) -> Option<Credentials> {
        let accounts = self.store.accounts();
        let own = accounts.iter().find(|it| same_name(&it.name, name));
        let (hash, name, role) = match own {
            Some(account) => (
                account.pin_hash.as_str(),
                account.name.as_str(),
                account.role,
            ),
            None => (self.store.pin_hash()?, name, Role::Administrator),
        };
        Some(Credentials {
            hash: hash.to_owned(),
            visitor: Visitor {
                name: name.to_owned(),
                role,
            },
            own: own.is_some(),
        })
    }

    fn end_sessions_of(&mut self, name: &str) -> io::Result<()> {
        self.store.retain(|session| !same_name(&session.name, name))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::web::Asker;

    const HERE: Asker<'_> = Asker {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        device: None,
    };

    #[tokio::test]
    async fn a_name_with_a_pin_of_its_own_is_nobody_elses() {
        let auth = Auth::with_pin("271828");
        let house = auth.login(HERE, "271828", "Anna").await.unwrap();
        let anna = || Visitor {
            name: "Anna".to_owned(),
            role: Role::Administrator,
        };
        assert_eq!(auth.who(&house.session), Some(anna()));
        auth.set_account("Anna", Role::Arbiter, "314159")
            .await
            .unwrap();
        assert_eq!(auth.who(&house.session), None, "her sessions end");
        let refused = auth.login(HERE, "271828", " ANNA ").await;
        assert!(matches!(refused, Err(AuthError::Wrong(_))));
        let own = auth.login(HERE, "314159", "anna").await.unwrap();
        let visitor = auth.who(&own.session).unwrap();
        assert_eq!(visitor.role, Role::Arbiter);
        assert_eq!(visitor.name, "Anna", "as the list has it");
        assert!(auth.remove_account("Anna").unwrap());
        assert!(!auth.remove_account("Anna").unwrap());
        assert_eq!(auth.who(&own.session), None);
    }

    #[tokio::test]
    async fn another_house_pin_ends_the_sessions_that_rest_on_the_old_one() {
        let auth = Auth::with_pin("271828");
        auth.set_account("Petro", Role::Chief, "314159")
            .await
            .unwrap();
        let petro = auth.login(HERE, "314159", "Petro").await.unwrap();
        let (eve, own) = (
            auth.login(HERE, "271828", "Eve").await.unwrap(),
            auth.login(HERE, "271828", "Admin").await.unwrap(),
        );
        auth.set_house_pin("161803", &own.session).await.unwrap();
        assert!(auth.who(&eve.session).is_none());
        assert!(auth.who(&own.session).is_some());
        assert!(auth.who(&petro.session).is_some());
        assert!(auth.login(HERE, "271828", "Eve").await.is_err());
    }

    #[test]
    fn roles_may_what_is_theirs() {
        use Role::{Administrator, Arbiter, Chief, Operator, Screen};

        let table = [
            (Screen, [true, false, false, false, false]),
            (Operator, [true, true, false, false, false]),
            (Arbiter, [true, true, true, false, false]),
            (Chief, [true, true, true, true, false]),
            (Administrator, [true; 5]),
        ];
        for (role, expected) in table {
            let may = [Screen, Operator, Arbiter, Chief, Administrator].map(|it| role.may(it));
            assert_eq!(may, expected, "{role:?}");
        }
    }
}
