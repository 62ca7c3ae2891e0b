//! Images of a result, saved to files: a terminal cannot show them.

use std::path::{Path, PathBuf};

use runbound::core::{Block, CallOutcome, ImageMime, ToolError, ToolOutput};

/// What a person sees of a result: its text, with a line for every image that says where it was saved.
///
/// Images go to `folder`, which is made when the first one comes.
pub(crate) fn text_and_saved_images(outcome: &CallOutcome, folder: &Path) -> String {
    let output = match &outcome.result {
        Ok(output) => Some(output),
        Err(error) => error.partial(),
    };
    let mut parts: Vec<String> = output.map(|output| parts(output, folder)).unwrap_or_default();
    if let Err(error) = &outcome.result {
        parts.push(ToolError::to_string(error));
    }
    parts.join("\n")
}

fn parts(output: &ToolOutput, folder: &Path) -> Vec<String> {
    let images = output.blocks.iter().any(|block| matches!(block, Block::Image { .. }));
    if !images {
        return vec![output.render_text()];
    }
    let mut parts = Vec::new();
    for block in &output.blocks {
        parts.push(match block {
            Block::Image { mime, data, alt } => match save(folder, *mime, data) {
                Ok(path) => format!("{} ({alt})", path.display()),
                Err(error) => format!("(image not saved in {}: {error}; {alt})", folder.display()),
            },
            other => other.to_text(),
        });
    }
    parts.extend(output.notes.iter().cloned());
    parts
}

fn save(folder: &Path, mime: ImageMime, data: &[u8]) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let extension = mime.as_str().strip_prefix("image/").unwrap_or("bin");
    let path = folder.join(format!("{}.{extension}", uuid::Uuid::new_v4()));
    std::fs::write(&path, data)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_becomes_a_file_and_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("images");
        let output =
            ToolOutput::text("before").image(ImageMime::Png, vec![1, 2, 3], "a plot").note("after");
        let shown = parts(&output, &folder);
        assert_eq!((shown[0].as_str(), shown[2].as_str()), ("before", "after"));
        let path = shown[1].strip_suffix(" (a plot)").unwrap();
        assert!(path.ends_with(".png"));
        assert_eq!(std::fs::read(path).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn text_alone_makes_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("images");
        assert_eq!(parts(&ToolOutput::text("only"), &folder), ["only"]);
        assert!(!folder.exists());
    }
}
