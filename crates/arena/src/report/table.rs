//! A table before it is shown: the terminal, the browser and a program each show it in their own way.

use std::fmt;

/// On which side of a column its text stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What stands above it.
    pub name: String,
    /// Where its text stands.
    pub align: Align,
}

/// A field of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What stands in it.
    pub text: String,
    /// The share of points it is about, for whoever colours fields by it.
    pub share: Option<f64>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), share: None }
    }
}

/// Rows under a head.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// Its head.
    pub columns: Vec<Column>,
    /// Its rows, each as long as the head.
    pub rows: Vec<Vec<Cell>>,
    /// What has to be said of it; may be empty.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table. A column whose name ends in `>` has its text on the right; the mark is not shown.
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

/// The title, and columns as wide as their longest text, two spaces apart.
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
