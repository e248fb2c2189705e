//! What a search did, in numbers: the material of the seeds' tables.

use std::ops::AddAssign;

/// Events of one search, over all its iterations.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions of the main search, the root and the leaves included.
    pub nodes: u64,
    /// Positions that only captures beyond the nominal depth reached.
    pub quiescence_nodes: u64,
    /// Positions given to the evaluation.
    pub evaluations: u64,
    /// Nodes (of either kind) at which the remaining moves were skipped.
    pub cutoffs: u64,
    /// Cutoffs by the first move tried.
    pub first_move_cutoffs: u64,
    /// Times the table was asked.
    pub table_probes: u64,
    /// Times its answer settled the node.
    pub table_hits: u64,
}

impl Counts {
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.quiescence_nodes
    }
}

/// Counts of several searches are those of all of them.
impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        let Counts {
            nodes,
            quiescence_nodes,
            evaluations,
            cutoffs,
            first_move_cutoffs,
            table_probes,
            table_hits,
        } = other;
        self.nodes += nodes;
        self.quiescence_nodes += quiescence_nodes;
        self.evaluations += evaluations;
        self.cutoffs += cutoffs;
        self.first_move_cutoffs += first_move_cutoffs;
        self.table_probes += table_probes;
        self.table_hits += table_hits;
    }
}
