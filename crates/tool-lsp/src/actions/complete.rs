//! Whether a server knows all files that may use a name, as far as it says or is known.

use std::path::{Path, PathBuf};

use super::aim::off;
use crate::client::Client;
use crate::ready::ReadyState;
use crate::spec::Readiness;

/// Larger compile databases are believed unread.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Why an answer that crosses files may lack some; `None` where the server knows the whole project. `file` is the one
/// that was asked about.
pub(crate) async fn incomplete(client: &Client, file: &Path) -> Option<String> {
    let (spec, id) = (client.spec(), client.id());
    if let Some(needed) = spec.rename.needs_file.clone() {
        let (root, file) = (client.root().to_owned(), file.to_owned());
        let shown = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match off(move || listed(&root, &needed, &file).ok_or(needed)).await {
            Ok(true) => {}
            Ok(false) => {
                return Some(format!(
                    "{shown} is not in the compile database, so {id} knows only what is open of its project; other \
                     files may use the name too"
                ));
            }
            Err(needed) => {
                return Some(format!(
                    "without {needed} {id} knows only the files that are open; others may use the name too"
                ));
            }
        }
    }
    match client.readiness() {
        ReadyState::Ready if spec.readiness != Readiness::FirstAnswer => None,
        ReadyState::Ready => Some(format!("{id} does not say whether it has loaded the project")),
        ReadyState::Loading { what, .. } => {
            Some(format!("{id} has begun to load again ({what}); ask again"))
        }
        ReadyState::Broken(why) => Some(format!("{id} is broken inside: {why}")),
    }
}

/// Whether a file is in the list of compiled files; `None` where there is no list. Headers are in none, and known by
/// the files that use them.
fn listed(root: &Path, needed: &str, file: &Path) -> Option<bool> {
    let places = [root.join(needed), root.join("build").join(needed)];
    let list: PathBuf = places.into_iter().find(|place| place.is_file())?;
    let header = file.extension().is_some_and(|ending| {
        ["h", "hh", "hpp", "hxx", "inl", "inc"].iter().any(|known| ending == *known)
    });
    let small = std::fs::metadata(&list).is_ok_and(|data| data.len() <= MOST_BYTES);
    if header || !small {
        return Some(true);
    }
    // As JSON writes it, with or without escapes.
    let name = file.file_name()?.to_str()?;
    let text = std::fs::read_to_string(&list).ok()?;
    let ascii: String = name.chars().flat_map(escaped).collect();
    if !text.contains(name) && !text.contains(&ascii) {
        return Some(false);
    }
    let Ok(entries) = serde_json::from_str::<Vec<serde_json::Value>>(&text) else {
        return Some(true);
    };
    Some(entries.iter().any(|entry| {
        let part =
            |key: &str| entry.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
        let path = Path::new(part("directory")).join(part("file"));
        path == file || path.canonicalize().is_ok_and(|real| real == file)
    }))
}

fn escaped(c: char) -> Vec<char> {
    if c.is_ascii() {
        return vec![c];
    }
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units).iter();
    units.flat_map(|unit| format!("\\u{unit:04x}").chars().collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_file_is_looked_up_in_the_compile_database() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().canonicalize().expect("it is there");
        let is = |name: &str| listed(&root, "db.json", &root.join(name));
        assert_eq!(is("a.c"), None);
        std::fs::create_dir(root.join("build")).expect("a folder");
        let text = format!(
            r#"[{{"directory":"{0}","file":"a.c"}},{{"directory":"{0}","file":"{0}/gr\u00f6\u00dfe.c"}},{{"directory":"{0}/sub","file":"b.c"}}]"#,
            root.display()
        );
        std::fs::write(root.join("build/db.json"), text).expect("it is written");
        assert_eq!(is("a.c"), Some(true));
        assert_eq!(is("größe.c"), Some(true));
        assert_eq!(is("b.c"), Some(false), "another of that name is listed");
        assert_eq!(is("c.c"), Some(false));
        assert_eq!(is("c.h"), Some(true));
    }
}
