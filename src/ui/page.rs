//! The files of the page, which are part of the program.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::messages::Problem;

/// A file, with its content.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("page/", $name)))
    };
}

const FILES: &[(&str, &str)] = &[
    file!("api.js"),
    file!("boxes.js"),
    file!("differences.js"),
    file!("document.js"),
    file!("dom.js"),
    file!("editor.js"),
    file!("grid.js"),
    file!("highlight.js"),
    file!("icon.svg"),
    file!("index.html"),
    file!("jobs.js"),
    file!("main.js"),
    file!("ocr.js"),
    file!("pdf.js"),
    file!("places.js"),
    file!("removed.js"),
    file!("results.js"),
    file!("search.js"),
    file!("statements.js"),
    file!("style.css"),
    file!("web.js"),
];

/// Returns the page itself.
pub async fn index() -> Response {
    file(Path("index.html".to_owned())).await
}

/// Returns one of its files.
pub async fn file(Path(name): Path<String>) -> Response {
    let found = FILES.iter().find(|(known, _)| **known == name);
    let Some((_, content)) = found else {
        return Problem::not_found("there is no such page").into_response();
    };
    let kind = match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    };
    ([(header::CONTENT_TYPE, kind)], *content).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_of_the_page_are_in_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ui/page");
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let known: Vec<_> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, known);
    }
}
