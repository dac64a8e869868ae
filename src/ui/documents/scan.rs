//! The image of a scanned page, if it is in the folder that was opened.

use std::path::Path;

use serde_json::Value;

use super::original::Original;
use crate::ui::App;

/// The maximum size of an image.
const MAX_IMAGE_BYTES: u64 = 32 << 20;

/// Returns the address of the image with a name, beside the file of a document. The name may have
/// the path of another machine.
pub async fn address(app: &App, original: &Original, name: &str) -> Option<String> {
    let file = original.facts.get("source_file").and_then(Value::as_str)?;
    let folder = Path::new(file).parent()?;
    let name = Path::new(name);
    let media_type = media_type(name)?;
    let beside = folder.join(name.file_name()?);
    let path = [folder.join(name), beside]
        .into_iter()
        .find_map(|path| app.folder.real_path_inside(&path))?;
    let size = tokio::fs::metadata(&path).await.ok()?.len();
    if size > MAX_IMAGE_BYTES {
        return None;
    }
    let content = tokio::fs::read(&path).await.ok()?;
    Some(app.frames.add_image(media_type, content))
}

/// The type of an image that browsers show, by the ending.
fn media_type(name: &Path) -> Option<&'static str> {
    let ending = name.extension()?.to_str()?.to_lowercase();
    Some(match ending.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        _ => return None,
    })
}
