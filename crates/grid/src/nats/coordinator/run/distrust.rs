//! Accounts with a wrong result: what they computed is retracted and computed again.

use super::Run;
use crate::error::GridError;
use crate::nats::account::SHARED;
use crate::nats::coordinator::review::SubmittedResult;
use crate::task::Task;

impl<T: Task> Run<'_, T> {
    /// Distrusts an account with a wrong result: it is ignored from now on, and all its results are retracted and
    /// computed again.
    pub(super) fn distrust(&mut self, submitted: &SubmittedResult, why: &str) -> Result<(), GridError> {
        let account = submitted.account.as_str();
        if !self.watch.is_trusted(account) {
            return Ok(());
        }
        if !self.grid.has_accounts {
            return self.discard_all(&submitted.worker, why);
        }
        self.records.distrust(account, why)?;
        self.watch.distrust(account, why);
        let indices = self.list.counted_by(account);
        let counted = indices.len() + self.records.earlier(account, &self.files)?.len();
        let counted = match counted {
            0 => "none of its results was counted".to_owned(),
            1 => "its one result that was counted is taken back and computed again".to_owned(),
            count => format!("{count} results of it that were counted are taken back and computed again"),
        };
        self.grid.log(&format!("account {account} is not trusted any more: {why}; {counted}"));
        self.take_back(&indices)?;
        self.retract_earlier(account)?;
        let emptied: Vec<usize> = self
            .reviews
            .iter_mut()
            .filter_map(|(index, review)| (!review.forget(account)).then_some(*index))
            .collect();
        for index in emptied {
            self.reviews.remove(&index);
            self.list.repeat(index);
        }
        Ok(())
    }

    /// Retracts counted results of this list and publishes their tasks again.
    fn take_back(&mut self, indices: &[usize]) -> Result<(), GridError> {
        if !indices.is_empty() {
            self.ledger.retract(indices).map_err(GridError::Retract)?;
            self.list.retract(indices);
            self.watch.note(|status| status.retracted += indices.len() as u64);
        }
        Ok(())
    }

    /// If all workers share one account, none of its results can be trusted: all are retracted, and the run ends, so
    /// that the operator can find the faulty machine.
    fn discard_all(&mut self, worker: &str, why: &str) -> Result<(), GridError> {
        let indices = self.list.counted_by(SHARED);
        self.take_back(&indices)?;
        let discarded = indices.len() + self.retract_earlier(SHARED)?;
        Err(GridError::Untrusted { worker: worker.to_owned(), why: why.to_owned(), discarded })
    }

    /// Retracts an account's results from before this list; returns their number.
    fn retract_earlier(&mut self, account: &str) -> Result<usize, GridError> {
        let earlier = self.records.earlier(account, &self.files)?;
        if !earlier.is_empty() {
            self.ledger.retract_earlier(&earlier).map_err(GridError::Retract)?;
            self.watch.note(|status| status.retracted += earlier.len() as u64);
        }
        self.records.retracted(account)?;
        Ok(earlier.len())
    }

    /// A previous process may have been killed after it distrusted an account and before all its results were
    /// retracted.
    pub(super) fn retract_leftovers(&mut self) -> Result<(), GridError> {
        let distrusted: Vec<String> = self.records.distrusted().keys().cloned().collect();
        for account in distrusted {
            let count = self.retract_earlier(&account)?;
            if count > 0 {
                self.grid
                    .log(&format!("{count} results of account {account}, which was caught, are taken back"));
            }
        }
        Ok(())
    }
}
