//! `tools`: what a run with these flags sees.

use runbound::core::ToolView;

use crate::args::Common;
use crate::exit::Exit;
use crate::output::Stdout;
use crate::style::Style;
use crate::tools_json::tools_json;
use crate::wiring::Wiring;

/// # Errors
/// The run cannot be opened, or the output cannot be written.
pub(crate) fn tools(common: &Common, json: bool) -> anyhow::Result<Exit> {
    let run = Wiring::from_flags(common).one_shot().open()?;
    let text = if json {
        serde_json::to_string_pretty(&tools_json(&run.view))?
    } else {
        table(&run.view, Style::stdout(common.color))
    };
    Stdout::new().line(&text)?;
    Ok(Exit::Done)
}

/// A line a tool: name, tier, and the first sentence of its description.
pub(crate) fn table(view: &ToolView, style: Style) -> String {
    let specs = view.surface();
    let width = specs.iter().map(|spec| spec.name().len()).max().unwrap_or(0);
    let lines: Vec<String> = specs
        .iter()
        .map(|spec| {
            let name = style.bold(&format!("{:width$}", spec.name()));
            let tier = style.cyan(&format!("{:5}", spec.tier()));
            format!("{name}  {tier}  {}", first_sentence(spec.description()))
        })
        .collect();
    lines.join("\n")
}

/// Up to the first full stop that ends a sentence, on one line.
fn first_sentence(text: &str) -> String {
    let line = text.split('\n').next().unwrap_or_default();
    match line.find(". ") {
        Some(end) => line.get(..=end).unwrap_or(line).to_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn one_sentence_on_one_line() {
        assert_eq!(first_sentence("Reads a file. Lines count from 1."), "Reads a file.");
        assert_eq!(first_sentence("Reads a file\nMore"), "Reads a file");
        assert_eq!(first_sentence("Reads e.g.this."), "Reads e.g.this.");
        assert_eq!(first_sentence(""), "");
    }
}
