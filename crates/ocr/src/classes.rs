//! The meaning of hOCR classes.

use super::level::Levels;
use corpus_markup::references::decode_value;
use corpus_markup::{Name, Tag};

/// The levels of an element with these classes, as written. They are case-sensitive.
#[inline]
pub(super) fn levels_of(class: &str, tag: Name) -> Levels {
    if class.contains('&') {
        return levels_of_classes(&decode_value(class), tag);
    }
    levels_of_classes(class, tag)
}

fn levels_of_classes(classes: &str, tag: Name) -> Levels {
    classes
        .split_ascii_whitespace()
        .map(|class| levels_of_class(class, tag))
        .fold(Levels::NONE, Levels::union)
}

/// Returns the levels of a class: those of the standard, and those that programs write instead.
fn levels_of_class(class: &str, tag: Name) -> Levels {
    match class {
        "ocr_page" => Levels::PAGE,
        "ocrx_word" | "ocr_word" | "xocr_word" => Levels::WORD,
        "ocr_line" | "ocrx_line" => Levels::LINE,
        "ocr_par" => Levels::PARAGRAPH,
        // Tesseract uses these classes for lines, others for blocks.
        "ocr_caption" | "ocr_footer" | "ocr_header" | "ocr_pageno" | "ocr_textfloat"
            if tag == Name::SPAN =>
        {
            Levels::LINE
        }
        "ocr_carea" | "ocrx_block" | "ocr_column" | "ocr_caption" | "ocr_float" | "ocr_footer"
        | "ocr_header" | "ocr_image" | "ocr_linedrawing" | "ocr_pageno" | "ocr_photo"
        | "ocr_separator" | "ocr_table" | "ocr_textfloat" | "ocr_textimage" => Levels::BLOCK,
        _ => Levels::NONE,
    }
}

/// Whether an element contains alternative text that was not chosen.
#[inline]
pub(super) fn is_alternative(tag: &Tag<'_>) -> bool {
    tag.name == Name::DEL
        && tag
            .attributes()
            .value("class")
            .is_some_and(|class| class.split_ascii_whitespace().any(|class| class == "alt"))
}
