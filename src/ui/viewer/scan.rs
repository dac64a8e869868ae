//! The images of scanned pages: beside their documents, or at the places of `--scans`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use corpus_bytes::compression::strip_compression_extension;
use corpus_http::sniffed_type;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use regex::Regex;
use tokio::time::timeout;
use url::Url;

use crate::ui::folder::Folder;
use crate::ui::messages::Problem;

/// The maximum size of an image.
const MAX_IMAGE_BYTES: usize = 32 << 20;

/// How long a server may take to send an image.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// The extensions of images that browsers show.
const SHOWN: [&str; 5] = ["jpg", "jpeg", "png", "webp", "gif"];

/// Their media types.
const SHOWN_TYPES: [&str; 4] = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/// The placeholders that a template may contain.
const PLACEHOLDERS: &str = "{book}, {page}, {key}, {image}, {number} and {number:4}";

/// The address of a whole IIIF image, after its base.
const IIIF_IMAGE: &str = "/full/max/0/default.jpg";

/// All characters that are escaped in a segment of a URL.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The image of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Scan {
    File(PathBuf),
    Web(Url),
}

/// The names by which the image of a page is found.
#[derive(Debug, Default)]
pub struct Names {
    key: String,
    /// The name of the image in the document, without folders.
    image: Option<String>,
    number: u64,
}

/// A place for images, such as `scans/{book}/{page}.jpg` or `https://iiif.example/{book}_{page}`.
#[derive(Debug)]
pub struct Template {
    text: String,
    placeholder: Regex,
    /// The folder whose images it names. `None` for a server.
    folder: Option<PathBuf>,
}

impl Template {
    /// Parses a template. Its folder must exist, and its host is fixed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |reason: &str| format!("--scans '{text}': {reason}");
        let placeholder = Regex::new(r"\{(book|page|key|image|number(?::(1?[0-9]))?)\}");
        let placeholder = placeholder.map_err(|error| wrong(&error.to_string()))?;
        if placeholder.replace_all(text, "").contains(['{', '}']) {
            return Err(wrong(&format!(
                "a name in braces must be one of {PLACEHOLDERS}"
            )));
        }
        let fixed = text.split('{').next().unwrap_or_default();
        if text.starts_with("http://") || text.starts_with("https://") {
            if fixed.splitn(4, '/').count() < 4 || Url::parse(fixed).is_err() {
                return Err(wrong("the host must be fixed, as in https://host/{page}"));
            }
            return Ok(Self {
                text: whole_image(text),
                placeholder,
                folder: None,
            });
        }
        let end = fixed.rfind('/').map_or(0, |slash| slash + 1);
        let folder = Path::new(if end == 0 { "." } else { &fixed[..end] }).canonicalize();
        let cannot = |error| wrong(&format!("cannot open its folder: {error}"));
        Ok(Self {
            text: text.to_owned(),
            placeholder,
            folder: Some(folder.map_err(cannot)?),
        })
    }

    /// The image of a page. `None` if it is a file that does not exist, or outside of the folder.
    fn find(&self, names: &Names) -> Option<Scan> {
        let mut place = String::new();
        let mut end = 0;
        for found in self.placeholder.captures_iter(&self.text) {
            let whole = found.get(0)?;
            place.push_str(&self.text[end..whole.start()]);
            end = whole.end();
            let value = match &found[1] {
                "book" => names.book()?.to_owned(),
                "page" => names.page().to_owned(),
                "key" => without_extension(&names.key).replace('!', "/"),
                "image" => without_extension(names.image.as_deref()?).to_owned(),
                _ => {
                    let digits = found.get(2).and_then(|it| it.as_str().parse().ok());
                    format!("{:0digits$}", names.number, digits = digits.unwrap_or(0))
                }
            };
            // A document must not name another folder.
            if value.is_empty() || value.split(['/', '\\']).any(|part| part.starts_with("..")) {
                return None;
            }
            match self.folder {
                Some(_) => place.push_str(&value),
                None => place.extend(utf8_percent_encode(&value, SEGMENT)),
            }
        }
        place.push_str(&self.text[end..]);
        match &self.folder {
            Some(folder) => {
                let real = Path::new(&place).canonicalize().ok()?;
                let is_inside = real.is_file() && real.starts_with(folder);
                is_inside.then_some(Scan::File(real))
            }
            None => Url::parse(&place).ok().map(Scan::Web),
        }
    }
}

/// The address of an image: that of the whole image, if it is the base of a IIIF image.
fn whole_image(address: &str) -> String {
    let base = address.strip_suffix("/info.json");
    let last = address.rsplit('/').next().unwrap_or_default();
    if base.is_none() && (has_extension(last, &SHOWN) || last.contains('?')) {
        return address.to_owned();
    }
    base.unwrap_or(address).trim_end_matches('/').to_owned() + IIIF_IMAGE
}

impl Names {
    /// `key` is the path of the document's file, or its key in a SequenceFile or archive. `image`
    /// is the name in the document, which may have the path of another machine.
    pub fn new(key: &str, image: Option<&str>, number: u64) -> Self {
        let image = image.and_then(|image| image.rsplit(['/', '\\']).next());
        Self {
            key: key.to_owned(),
            image: image.filter(|name| !name.is_empty()).map(str::to_owned),
            number,
        }
    }

    /// The last part of the key, without its extension.
    fn page(&self) -> &str {
        without_extension(self.key.rsplit(['/', '!']).next().unwrap_or_default())
    }

    /// The folder or package of the page.
    fn book(&self) -> Option<&str> {
        let end = self.key.rfind(['/', '!'])?;
        let book = self.key[..end].rsplit(['/', '!']).next()?;
        Some(if self.key[end..].starts_with('!') {
            without_extension(book)
        } else {
            book
        })
    }
}

/// Finds the image of a page: by the templates, or as a file with its name beside `document`.
pub fn find(
    templates: &[Template],
    folder: &Folder,
    document: &str,
    names: &Names,
) -> Option<Scan> {
    if let Some(found) = templates.iter().find_map(|place| place.find(names)) {
        return Some(found);
    }
    let beside = Path::new(document).parent()?;
    let found = |name: &str| folder.real_path_inside(&beside.join(name));
    let image = names
        .image
        .as_deref()
        .filter(|name| !name.starts_with(".."));
    let shown = image
        .filter(|name| has_extension(name, &SHOWN))
        .and_then(found);
    let copy = || {
        let stem = without_extension(image.unwrap_or_else(|| names.page()));
        let copies = SHOWN.iter().map(|extension| format!("{stem}.{extension}"));
        copies.into_iter().find_map(|name| found(&name))
    };
    let path = shown.or_else(copy).or_else(|| image.and_then(found));
    path.map(Scan::File)
}

impl Scan {
    /// Returns the image with its type, if browsers show it.
    pub async fn load(&self) -> Result<(&'static str, Bytes), Problem> {
        let read = async {
            match self {
                Self::File(path) => read(path).await,
                Self::Web(url) => fetch(url).await,
            }
        };
        let late = || Err(format!("no image within {} seconds", MAX_WAIT.as_secs()));
        let image = timeout(MAX_WAIT, read).await.unwrap_or_else(|_| late());
        let image = image.map_err(|text| Problem::new(StatusCode::BAD_GATEWAY, text))?;
        let sniffed = sniffed_type(&image, None).unwrap_or_default();
        let media_type = SHOWN_TYPES.into_iter().find(|shown| *shown == sniffed);
        let media_type = media_type.ok_or_else(|| {
            let text = format!(
                "browsers cannot show {sniffed}: convert the scan to JPEG, PNG or WebP, and name \
                 its place with --scans"
            );
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text)
        })?;
        Ok((media_type, image))
    }
}

async fn read(path: &Path) -> Result<Bytes, String> {
    let cannot = |reason: String| format!("cannot read {}: {reason}", path.display());
    let metadata = tokio::fs::metadata(path).await;
    let size = metadata.map_err(|error| cannot(error.to_string()))?.len();
    if size > MAX_IMAGE_BYTES as u64 {
        return Err(cannot(format!(
            "it is larger than {} MiB",
            MAX_IMAGE_BYTES >> 20
        )));
    }
    let image = tokio::fs::read(path).await;
    image
        .map(Bytes::from)
        .map_err(|error| cannot(error.to_string()))
}

#[cfg(feature = "cloud")]
async fn fetch(url: &Url) -> Result<Bytes, String> {
    crate::object_stores::download(url, MAX_IMAGE_BYTES).await
}

#[cfg(not(feature = "cloud"))]
async fn fetch(_url: &Url) -> Result<Bytes, String> {
    Err(corpus_udfs::not_built("images on servers", "cloud"))
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension.to_ascii_lowercase().as_str()))
}

/// A name without its extension, and that of its compression.
fn without_extension(name: &str) -> &str {
    let name = strip_compression_extension(name);
    match name.rfind('.') {
        Some(dot) if dot > 0 && !name[dot..].contains(['/', '!']) => &name[..dot],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_the_names_of_their_pages() {
        for (key, book, page) in [
            (
                "/ABO/Z119500000/00000001.html",
                Some("Z119500000"),
                "00000001",
            ),
            ("scans/a book/page.3.hocr.gz", Some("a book"), "page.3"),
            ("books/Z1.tar.gz!0002.xml", Some("Z1"), "0002"),
            ("books.tar!Z1.b/0002.xml", Some("Z1.b"), "0002"),
            ("0003", None, "0003"),
        ] {
            let names = Names::new(key, None, 1);
            assert_eq!((names.book(), names.page()), (book, page), "{key}");
        }
        for (image, name) in [
            (r"\\server\ocr\0070.tif", Some("0070.tif")),
            ("/scans/a b.png", Some("a b.png")),
            ("/scans/", None),
        ] {
            assert_eq!(Names::new("a", Some(image), 1).image.as_deref(), name);
        }
    }

    #[test]
    fn servers_get_escaped_names() {
        let address = |template: &str, key: &str| {
            let names = Names::new(key, Some("x/0070.tif"), 7);
            match Template::parse(template).unwrap().find(&names) {
                Some(Scan::Web(url)) => Some(url.to_string()),
                found => found.map(|found| format!("{found:?}")),
            }
        };
        for (template, expected) in [
            (
                "http://h/{key}",
                "http://h/a%20b%2F1%3F%23/full/max/0/default.jpg",
            ),
            (
                "http://h/2/{book}_{number:4}/info.json",
                "http://h/2/a%20b_0007/full/max/0/default.jpg",
            ),
            (
                "https://h:8/{image}.tif",
                "https://h:8/0070.tif/full/max/0/default.jpg",
            ),
            (
                "http://h/{page}/full/!900,900/0/default.jpg",
                "http://h/1%3F%23/full/!900,900/0/default.jpg",
            ),
            ("http://h/image?id={image}", "http://h/image?id=0070"),
        ] {
            assert_eq!(address(template, "a b/1?#.xml").as_deref(), Some(expected));
        }
        for key in ["../1.xml", "a/....xml"] {
            assert_eq!(address("http://h/{key}", key), None, "{key}");
        }
        for wrong in [
            "http://{book}/{page}",
            "http://h{page}",
            "https://",
            "http://h/{x}",
            "http://h/{page",
        ] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_are_inside_the_folder_of_their_template() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("scans");
        std::fs::create_dir_all(folder.join("a")).unwrap();
        for file in ["scans/a/1.jpg", "secret.jpg"] {
            std::fs::write(outer.path().join(file), "").unwrap();
        }
        let find = |template: &str, key: &str, image: &str| {
            let template = format!("{}/{template}", folder.display());
            let template = Template::parse(&template).unwrap();
            template.find(&Names::new(key, Some(image), 1)).is_some()
        };
        assert!(find("{book}/{page}.jpg", "x/a/1.html", ""));
        assert!(find("{key}.jpg", "a/1.html", ""));
        assert!(find("a/{number}.jpg", "x", ""));
        assert!(!find("{book}/{page}.jpg", "x/b/1.html", ""));
        assert!(!find("{book}/secret.jpg", "../..", ""));
        assert!(!find("{book}/secret.jpg", "x/../1.html", ""));
        assert!(!find("{key}.jpg", "../secret.html", ""));
        assert!(!find("a/{image}.jpg", "x", r"..\..\secret.jpg"));
        assert!(Template::parse(&format!("{}/nosuch/{{page}}.jpg", folder.display())).is_err());
    }
}
