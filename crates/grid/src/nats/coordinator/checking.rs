//! Tasks that two workers do, so that one whose results are wrong is noticed.
//!
//! The first result of such a task waits until another worker has done the task too. If both are the same, it counts. If not, a third one
//! decides: whoever is alone with a result is named, and not trusted any more. A result that waits is not acknowledged, so that a coordinator
//! that is started again gets it again.

use std::time::{Duration, Instant};

use async_nats::Subject;

use super::run::Run;
use crate::nats::watch::Watch;
use crate::nats::wire::Answer;
use crate::task::Task;

/// How often a worker is asked again for what it has not answered.
const ASKED_AGAIN: Duration = Duration::from_secs(3);
/// Hexadecimal digits of a key that decide whether it is checked.
const DIGITS: usize = 8;

/// A task that is being checked.
#[derive(Debug, Default)]
pub(super) struct Check {
    /// Who says what, in the order in which it was heard.
    opinions: Vec<(String, String)>,
    /// Who is asked now, and since when.
    asked: Option<(String, Instant)>,
    /// Who was asked in vain.
    silent: Vec<String>,
}

/// What is known of a task after another result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// This is its result, by this worker.
    Settled {
        /// Who said it first.
        worker: String,
        /// The result.
        result: String,
    },
    /// Another worker is being asked.
    Open,
    /// Workers contradict one another, and nobody else is there.
    Torn(String),
}

impl Check {
    /// The result that two agree on, and who says otherwise.
    fn agreed(&self) -> Option<(&str, &str, Vec<&str>)> {
        let (worker, result) = self.opinions.iter().enumerate().find_map(|(at, (worker, result))| {
            let again = self.opinions[at + 1..].iter().any(|(_, other)| other == result);
            again.then_some((worker.as_str(), result.as_str()))
        })?;
        let others = self.opinions.iter().filter(|(_, other)| other != result);
        Some((worker, result, others.map(|(worker, _)| worker.as_str()).collect()))
    }

    fn knows(&self, worker: &str) -> bool {
        self.opinions.iter().any(|(known, _)| known == worker)
            || self.silent.iter().any(|known| known == worker)
    }
}

/// Whether a task is one of those that are checked.
pub(super) fn is_chosen(key: &str, share: f64) -> bool {
    let digits = key.get(..DIGITS).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    digits.is_some_and(|digits| f64::from(digits) < share * f64::from(u32::MAX) + share)
}

impl<T: Task> Run<'_, T> {
    /// Whether a result has to wait for another.
    pub(super) fn is_checked(&self, place: usize) -> bool {
        self.checks.contains_key(&place)
            || is_chosen(&self.entries[place].key, self.grid.coordination.double_check)
    }

    /// A worker's result of a task that is checked.
    pub(super) fn weigh(&mut self, place: usize, worker: &str, result: String, watch: &mut Watch) -> Finding {
        let check = self.checks.entry(place).or_default();
        if check.opinions.iter().any(|(known, _)| known == worker) {
            // It was handed over again.
            return Finding::Open;
        }
        check.opinions.push((worker.to_owned(), result));
        check.asked = None;
        self.settle(place, watch)
    }

    /// A worker could not do what it was asked to check.
    pub(super) fn pass_over(&mut self, place: usize, worker: &str, watch: &mut Watch) -> Finding {
        let check = self.checks.entry(place).or_default();
        if check.asked.take_if(|(asked, _)| asked == worker).is_some() {
            check.silent.push(worker.to_owned());
            return self.settle(place, watch);
        }
        Finding::Open
    }

    /// Asks somebody else where nothing is certain yet.
    fn settle(&mut self, place: usize, watch: &mut Watch) -> Finding {
        let Some(check) = self.checks.get_mut(&place) else { return Finding::Open };
        let id = self.tasks[place].id();
        if let Some((worker, result, wrong)) = check.agreed() {
            let finding = Finding::Settled { worker: worker.to_owned(), result: result.to_owned() };
            let right: Vec<&str> = check
                .opinions
                .iter()
                .filter(|(_, other)| other == result)
                .map(|(worker, _)| worker.as_str())
                .collect();
            for worker in wrong.into_iter().filter(|worker| watch.is_trusted(worker)).collect::<Vec<_>>() {
                let why = format!("its result of {id} is not that of {}", right.join(" and "));
                let before = watch.distrust(worker, why.clone());
                let counted = match before {
                    0 => "none of its results was counted".to_owned(),
                    1 => "one of its results was counted before".to_owned(),
                    count => format!("{count} of its results were counted before"),
                };
                (self.grid.tell)(&format!("worker {worker} is not trusted any more: {why}; {counted}"));
            }
            watch.note(|status| status.checked += 1);
            self.checks.remove(&place);
            return finding;
        }
        if check.asked.is_some() {
            return Finding::Open;
        }
        if let Some((worker, inbox)) = watch.another(|worker| check.knows(worker)) {
            check.asked = Some((worker, Instant::now()));
            self.questions.push((place, inbox));
            return Finding::Open;
        }
        if !watch.knows_all() {
            return Finding::Open;
        }
        let check = self.checks.remove(&place).expect("it was just there");
        match <[(String, String); 1]>::try_from(check.opinions) {
            // Nobody is there to ask.
            Ok([(worker, result)]) => Finding::Settled { worker, result },
            Err(opinions) => {
                let workers: Vec<String> = opinions.into_iter().map(|(worker, _)| worker).collect();
                Finding::Torn(format!(
                    "workers {} give different results, and no other is there to tell who is right",
                    workers.join(" and ")
                ))
            }
        }
    }

    /// Looks after those who were asked and have not answered; the findings that come of it.
    pub(super) fn remind(&mut self, watch: &mut Watch) -> Vec<(usize, Finding)> {
        let mut findings = Vec::new();
        let places: Vec<usize> = self.checks.keys().copied().collect();
        for place in places {
            let Some(check) = self.checks.get_mut(&place) else { continue };
            let Some((worker, since)) = &mut check.asked else {
                findings.push((place, self.settle(place, watch)));
                continue;
            };
            match watch.inbox_of(worker) {
                Some(inbox) if since.elapsed() > ASKED_AGAIN => {
                    *since = Instant::now();
                    self.questions.push((place, inbox));
                }
                Some(_) => {}
                None => {
                    let gone = worker.clone();
                    findings.push((place, self.pass_over(place, &gone, watch)));
                }
            }
        }
        findings
    }

    /// Sends what is to be asked.
    pub(super) async fn ask(&mut self) {
        let questions: Vec<(usize, Subject)> = std::mem::take(&mut self.questions);
        for (place, inbox) in questions {
            // What is not heard now is asked again.
            let Ok(order) = self.order(place).await else { continue };
            let answer = Answer { welcome: true, check: Some(Box::new(order)), ..Answer::default() };
            let answer = serde_json::to_vec(&answer).expect("texts can be written");
            let _ = self.grid.link.client.publish(inbox, answer.into()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::fingerprint;

    #[test]
    fn about_as_many_are_chosen_as_asked_for() {
        let keys: Vec<String> = (0..2000).map(|number| fingerprint(&u32::to_le_bytes(number))).collect();
        let chosen = |share: f64| keys.iter().filter(|key| is_chosen(key, share)).count();
        assert_eq!((chosen(0.0), chosen(1.0)), (0, 2000));
        assert!((20..60).contains(&chosen(0.02)), "{}", chosen(0.02));
    }

    #[test]
    fn whoever_is_alone_with_a_result_is_wrong() {
        let check = |opinions: &[(&str, &str)]| Check {
            opinions: opinions
                .iter()
                .map(|(worker, result)| ((*worker).to_owned(), (*result).to_owned()))
                .collect(),
            ..Check::default()
        };
        assert_eq!(check(&[("a", "1")]).agreed(), None);
        assert_eq!(check(&[("a", "1"), ("b", "2")]).agreed(), None);
        assert_eq!(check(&[("a", "1"), ("b", "1")]).agreed(), Some(("a", "1", vec![])));
        assert_eq!(check(&[("a", "2"), ("b", "1"), ("c", "1")]).agreed(), Some(("b", "1", vec!["a"])));
    }
}
