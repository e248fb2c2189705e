//! The server through real HTTP, on a port of its own.

mod analysis;
mod explorer;
mod external;
mod games;
mod guard;
mod legacy;
mod limits;
mod page;
mod problems;
mod quantum;
mod records;
mod restart;
mod reviews;
mod runs;
mod streams;
mod support;
mod syzygy;
mod thinking;
mod watching;
