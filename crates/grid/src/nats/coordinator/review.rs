//! Reviews decide the next step for results that are compared before they count, and for tasks that failed.
//!
//! As in BOINC, a checked result counts only when a second one agrees: from another *account*, which the coordinator
//! selects with its secret, or its own. Only the selected account may give the second result. If two results differ,
//! the coordinator computes the task itself, and accounts with another result are distrusted. A task is set aside
//! only when two accounts failed, or one account and the coordinator.

use std::time::Instant;

/// A result submitted by an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SubmittedResult {
    pub account: String,
    /// The worker's label, for people.
    pub worker: String,
    pub result: String,
}

/// Who computes a task for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Assignee {
    Worker { account: String, worker: String, first: Instant, last: Instant },
    Coordinator,
}

/// A task under review.
#[derive(Clone, Debug, Default)]
pub(super) struct Review {
    /// Whether its result needs a second one even if no account failed.
    pub compare: bool,
    /// Whether it may have killed workers: then only the coordinator tries it again, in a child process.
    pub deadly: bool,
    /// In the order of arrival.
    pub results: Vec<SubmittedResult>,
    /// Accounts that failed, and their errors.
    pub failures: Vec<(String, String)>,
    /// The coordinator's own result.
    pub own: Option<Result<String, String>>,
    pub requested: Option<Assignee>,
    /// Accounts that were asked without an answer.
    pub silent: Vec<String>,
}

/// The next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Wait,
    /// Another account than those known to the review, or the coordinator if there is none.
    AskAnother,
    AskCoordinator,
    Accept {
        /// The account that submitted it first; `None` if only the coordinator has it.
        by: Option<SubmittedResult>,
        result: String,
        /// The accounts with another result.
        wrong: Vec<SubmittedResult>,
        /// Whether two results agree.
        compared: bool,
    },
    GiveUp(String),
}

impl Review {
    /// A result that was chosen for comparison.
    pub fn of_result(submitted: SubmittedResult) -> Review {
        Review { compare: true, results: vec![submitted], ..Review::default() }
    }

    /// A task that failed.
    pub fn of_failures(failures: Vec<(String, String)>, compare: bool, deadly: bool) -> Review {
        Review { compare, deadly, failures, ..Review::default() }
    }

    /// Whether an account has answered, or cannot be asked.
    pub fn knows(&self, account: &str) -> bool {
        self.results.iter().any(|submitted| submitted.account == account)
            || self.failures.iter().any(|(known, _)| known == account)
            || self.silent.iter().any(|known| known == account)
    }

    /// Whether this account is being asked.
    pub fn awaits(&self, account: &str) -> bool {
        matches!(&self.requested, Some(Assignee::Worker { account: requested, .. }) if requested == account)
    }

    /// Discards everything of an account; returns whether anything is left to review.
    pub fn forget(&mut self, account: &str) -> bool {
        self.results.retain(|submitted| submitted.account != account);
        self.failures.retain(|(known, _)| known != account);
        if self.awaits(account) {
            self.requested = None;
        }
        !self.results.is_empty()
            || !self.failures.is_empty()
            || self.own.is_some()
            || self.requested.is_some()
    }

    pub fn step(&self) -> Step {
        if let Some(own) = &self.own {
            return self.conclude(own);
        }
        if self.requested.is_some() {
            return Step::Wait;
        }
        match &*self.results {
            [] if self.failures.len() > 1 => Step::GiveUp(self.failures_in_words()),
            [] if self.deadly => Step::AskCoordinator,
            [only] if !self.compare => accept(Some(only), &only.result, Vec::new(), false),
            [] | [_] => Step::AskAnother,
            [first, others @ ..] if others.iter().all(|other| other.result == first.result) => {
                accept(Some(first), &first.result, Vec::new(), true)
            }
            _ => Step::AskCoordinator,
        }
    }

    /// The coordinator has computed the task itself: its result is the right one.
    fn conclude(&self, own: &Result<String, String>) -> Step {
        let accounts: Vec<&str> = self.results.iter().map(|submitted| submitted.account.as_str()).collect();
        match (own, &*accounts) {
            (Ok(result), _) => {
                let by = self.results.iter().find(|submitted| submitted.result == *result);
                let others = self.results.iter().filter(|submitted| submitted.result != *result);
                accept(by, result, others.cloned().collect(), !self.results.is_empty())
            }
            (Err(why), []) => {
                Step::GiveUp(format!("{}; tried by the coordinator: {why}", self.failures_in_words()))
            }
            (Err(why), [only]) => Step::GiveUp(format!(
                "the result of account {only} could not be checked by the coordinator: {why}"
            )),
            (Err(why), _) => Step::GiveUp(format!(
                "accounts {} give different results, and the coordinator could not compute it: {why}",
                accounts.join(" and ")
            )),
        }
    }

    fn failures_in_words(&self) -> String {
        let texts: Vec<&str> = self.failures.iter().map(|(_, why)| why.as_str()).collect();
        texts.join("; ")
    }
}

fn accept(by: Option<&SubmittedResult>, result: &str, wrong: Vec<SubmittedResult>, compared: bool) -> Step {
    Step::Accept { by: by.cloned(), result: result.to_owned(), wrong, compared }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submitted(account: &str, result: &str) -> SubmittedResult {
        SubmittedResult { account: account.to_owned(), worker: "w".to_owned(), result: result.to_owned() }
    }

    fn review(opinions: &[(&str, &str)]) -> Review {
        let results = opinions.iter().map(|(account, result)| submitted(account, result)).collect();
        Review { compare: true, results, ..Review::default() }
    }

    fn failed(accounts: &[&str]) -> Vec<(String, String)> {
        accounts.iter().map(|account| ((*account).to_owned(), format!("{account} says no"))).collect()
    }

    #[test]
    fn a_result_counts_when_a_second_account_agrees() {
        assert_eq!(review(&[("a", "1")]).step(), Step::AskAnother);
        let Step::Accept { by, result, wrong, compared } = review(&[("a", "1"), ("b", "1")]).step() else {
            panic!("two agree")
        };
        assert_eq!((by, result.as_str(), wrong, compared), (Some(submitted("a", "1")), "1", vec![], true));
    }

    #[test]
    fn where_two_differ_the_coordinator_decides_and_the_wrong_one_is_caught() {
        let mut disputed = review(&[("a", "2"), ("b", "1")]);
        assert_eq!(disputed.step(), Step::AskCoordinator);
        disputed.own = Some(Ok("1".to_owned()));
        let Step::Accept { by, wrong, .. } = disputed.step() else { panic!("it is known") };
        assert_eq!((by, wrong), (Some(submitted("b", "1")), vec![submitted("a", "2")]));
        // Two accounts that agree on a wrong result are both wrong.
        let mut lie = review(&[("a", "2"), ("b", "2")]);
        lie.own = Some(Ok("1".to_owned()));
        let Step::Accept { by, result, wrong, .. } = lie.step() else { panic!("it is known") };
        assert_eq!((by, result.as_str(), wrong.len()), (None, "1", 2));
        disputed.own = Some(Err("no memory".to_owned()));
        assert!(matches!(disputed.step(), Step::GiveUp(why) if why.contains("a and b give different")));
    }

    #[test]
    fn a_task_is_given_up_when_two_could_not_do_it() {
        let one = Review::of_failures(failed(&["a"]), false, false);
        assert_eq!(one.step(), Step::AskAnother);
        assert!(matches!(Review::of_failures(failed(&["a", "b"]), false, false).step(), Step::GiveUp(_)));
        let mut deadly = Review::of_failures(failed(&["a"]), false, true);
        assert_eq!(deadly.step(), Step::AskCoordinator);
        deadly.own = Some(Ok("1".to_owned()));
        assert!(matches!(deadly.step(), Step::Accept { by: None, .. }));
        deadly.own = Some(Err("signal 9".to_owned()));
        assert!(
            matches!(deadly.step(), Step::GiveUp(why) if why.contains("a says no") && why.contains("signal 9"))
        );
    }

    #[test]
    fn nothing_of_an_account_that_is_caught_is_left() {
        let mut both = review(&[("a", "1")]);
        both.failures = failed(&["b"]);
        assert!(both.forget("a"));
        assert!(!both.forget("b"));
        let now = Instant::now();
        let requested = |account: &str| Assignee::Worker {
            account: account.to_owned(),
            worker: "w".to_owned(),
            first: now,
            last: now,
        };
        let mut waiting = review(&[("a", "1")]);
        waiting.requested = Some(requested("b"));
        assert!(waiting.awaits("b") && !waiting.awaits("c") && waiting.step() == Step::Wait);
        assert!(waiting.forget("b") && waiting.requested.is_none());
    }
}
