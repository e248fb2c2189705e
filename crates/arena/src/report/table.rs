//! A table, independent of how it is shown.

use std::fmt;

/// Alignment of a column.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub align: Align,
}

/// A field of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub text: String,
    /// The score that it shows, from 0 to 1, for colouring.
    pub share: Option<f64>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), share: None }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub title: String,
    pub columns: Vec<Column>,
    /// Its rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Notes below the table; may be empty.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table. A column whose name ends in `>` is right-aligned; the `>` is not shown.
    pub(super) fn new(title: impl Into<String>, columns: &[&str]) -> Table {
        let column = |name: &&str| match name.strip_suffix('>') {
            Some(name) => Column { name: name.to_owned(), align: Align::Right },
            None => Column { name: (*name).to_owned(), align: Align::Left },
        };
        Table {
            title: title.into(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = cells.into_iter().collect();
        debug_assert_eq!(row.len(), self.columns.len(), "a row of {:?} is as long as its head", self.title);
        self.rows.push(row);
    }
}

/// As text: columns as wide as their longest cell, two spaces apart.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: &str| text.chars().count();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|index| {
                let cells = self.rows.iter().map(|row| width(&row[index].text));
                cells.chain([width(&self.columns[index].name)]).max().unwrap_or(0)
            })
            .collect();
        let line = |texts: Vec<&str>| {
            let fields = texts.iter().zip(&widths).zip(&self.columns).map(|((text, &width), column)| {
                match column.align {
                    Align::Left => format!("{text:<width$}"),
                    Align::Right => format!("{text:>width$}"),
                }
            });
            fields.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        writeln!(f, "{}", self.title)?;
        if self.columns.iter().any(|column| !column.name.is_empty()) {
            writeln!(f, "{}", line(self.columns.iter().map(|column| column.name.as_str()).collect()))?;
        }
        for row in &self.rows {
            writeln!(f, "{}", line(row.iter().map(|cell| cell.text.as_str()).collect()))?;
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new("Scores", &["player", "Elo>"]);
        table.row(["Axon".into(), "+12.5".into()]);
        table.row(["Żubr the Third".into(), "0.0".into()]);
        table.notes.push("That is all.".into());
        let text =
            "Scores\nplayer            Elo\nAxon            +12.5\nŻubr the Third    0.0\nThat is all.\n";
        assert_eq!(table.to_string(), text);
    }
}
