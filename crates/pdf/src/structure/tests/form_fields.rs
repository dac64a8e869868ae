use super::*;
use crate::model::FormField;
use crate::testing::{Ref, Stream};

/// The fields of a page whose widgets have these entries.
fn fields(widgets: &[&str]) -> Vec<FormField> {
    let mut pdf = Pdf::new();
    let mut page = Page::new("");
    for entries in widgets {
        page = page.annotation(pdf.field("10 20 110 40", entries));
    }
    pdf.page(page);
    info(pdf.build()).form_fields
}

fn value(entries: &str) -> Option<String> {
    fields(&[&format!("/T (a) {entries}")])[0].value.clone()
}

fn shown(fields: &[FormField]) -> Vec<(&str, &str, Option<&str>, Option<u32>)> {
    let fields = fields.iter();
    fields
        .map(|field| {
            let kind = field.kind.as_str();
            (
                field.name.as_str(),
                kind,
                field.value.as_deref(),
                field.page,
            )
        })
        .collect()
}

#[test]
fn kinds_and_values() {
    let fields = fields(&[
        "/FT /Tx /T (text) /V <FEFF5927>",
        "/FT /Btn /T (check) /V /Yes",
        "/FT /Btn /T (radio) /Ff 32768 /V /2",
        "/FT /Btn /T (push) /Ff 65536 /V /Yes",
        "/FT /Ch /T (choice) /V [(one) 5 (two)]",
        "/FT /Sig /T (signature) /V << /Type /Sig /Name (A. Signer) >>",
        "/FT /Tx /T (empty) /V ()",
        "/FT /Tx /T (none)",
        "/FT /Unknown /T (unknown) /V (x)",
    ]);
    assert_eq!(
        shown(&fields),
        [
            ("text", "text", Some("大"), Some(1)),
            ("check", "checkbox", Some("Yes"), Some(1)),
            ("radio", "radio", Some("2"), Some(1)),
            ("push", "button", None, Some(1)),
            ("choice", "choice", Some("one\ntwo"), Some(1)),
            ("signature", "signature", Some("A. Signer"), Some(1)),
            ("empty", "text", Some(""), Some(1)),
            ("none", "text", None, Some(1)),
        ]
    );
    assert_eq!(fields[0].bbox, Some(rect(10.0, 752.0, 110.0, 772.0)));
}

#[test]
fn values_of_other_types() {
    assert_eq!(value("/FT /Tx /V 12.5").as_deref(), Some("12.5"));
    assert_eq!(value("/FT /Tx /V 7").as_deref(), Some("7"));
    assert_eq!(value("/FT /Tx /V (a\\rb)").as_deref(), Some("a\nb"));
    assert_eq!(value("/FT /Btn /AS /On").as_deref(), Some("On"));
    assert_eq!(value("/FT /Btn /AS /On /V /Off").as_deref(), Some("Off"));
    assert_eq!(value("/FT /Tx /V null"), None);
    assert_eq!(value("/FT /Tx /V [[(a)]]").as_deref(), Some(""));
}

#[test]
fn long_values_are_streams() {
    let mut pdf = Pdf::new();
    let long = pdf.add_stream(Stream::new("a long text").flate());
    let field = pdf.field("0 0 1 1", &format!("/FT /Tx /T (a) /V {long}"));
    pdf.page(Page::new("").annotation(field));
    let fields = info(pdf.build()).form_fields;
    assert_eq!(fields[0].value.as_deref(), Some("a long text"));
}

#[test]
fn missing_attributes_are_inherited() {
    let mut pdf = Pdf::new();
    let root = pdf.reserve();
    let group = pdf.reserve();
    let own = pdf.annotation("Widget", "0 0 1 1", "/T (own) /V (mine) /Ff 0");
    let bare = pdf.annotation("Widget", "0 0 1 1", "/T (bare)");
    pdf.set(group, format!("<< /Kids [{own} {bare} null 5] >>"));
    pdf.set(
        root,
        format!("<< /T (root) /FT /Tx /V (default) /Kids [{group}] >>"),
    );
    pdf.root_field(root);
    pdf.page(Page::new("").annotation(own).annotation(bare));
    assert_eq!(
        shown(&info(pdf.build()).form_fields),
        [
            ("root.own", "text", Some("mine"), Some(1)),
            ("root.bare", "text", Some("default"), Some(1)),
        ]
    );
}

#[test]
fn each_widget_of_a_field_is_a_row() {
    let mut pdf = Pdf::new();
    let gone = pdf.annotation("Widget", "0 0 1 1", "/AS /Off");
    let off = pdf.annotation("Widget", "10 20 30 40", "/AS /Off");
    let on = pdf.annotation("Widget", "50 60 70 80", "/AS /Two");
    let radio = pdf.add(format!(
        "<< /T (r) /FT /Btn /Ff 32768 /Kids [{gone} {off} {on}] >>"
    ));
    pdf.root_field(radio);
    pdf.page(Page::new(""));
    pdf.page(Page::new("").annotation(off).annotation(on));
    let fields = info(pdf.build()).form_fields;
    let row = ("r", "radio", Some("Two"), Some(2));
    assert_eq!(shown(&fields), [row, row]);
    assert_eq!(fields[0].bbox, Some(rect(10.0, 752.0, 30.0, 772.0)));
    assert_eq!(fields[1].bbox, Some(rect(50.0, 712.0, 70.0, 732.0)));
}

#[test]
fn names_keep_their_spaces() {
    assert_eq!(fields(&["/FT /Tx /T (a  name)"])[0].name, "a  name");
}

#[test]
fn the_page_may_be_declared_by_the_widget() {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(""));
    let second = pdf.page(Page::new("").rotate(90));
    let field = pdf.field("10 20 30 60", &format!("/FT /Tx /T (a) /P {second}"));
    pdf.field("0 0 1 1", &format!("/FT /Tx /T (b) /P {field}"));
    let fields = info(pdf.build()).form_fields;
    assert_eq!(fields[0].page, Some(2));
    assert_eq!(fields[0].bbox, Some(rect(20.0, 10.0, 60.0, 30.0)));
    assert_eq!((fields[1].page, fields[1].bbox), (None, None));
}

#[test]
fn widgets_missing_from_the_form() {
    let mut pdf = Pdf::new();
    let parent = pdf.reserve();
    let kid = pdf.annotation("Widget", "0 0 1 1", &format!("/Parent {parent}"));
    pdf.set(parent, format!("<< /T (p) /FT /Tx /V (x) /Kids [{kid}] >>"));
    let lone = pdf.annotation("Widget", "0 0 1 1", "/T (lone) /FT /Ch");
    let link = pdf.annotation("Link", "0 0 1 1", "/T (link) /FT /Tx");
    let listed = pdf.field("0 0 1 1", "/T (listed) /FT /Tx");
    let annotations: [Ref; 4] = [kid, lone, link, listed];
    pdf.page(
        annotations
            .into_iter()
            .fold(Page::new(""), Page::annotation),
    );
    assert_eq!(
        shown(&info(pdf.build()).form_fields),
        [
            ("listed", "text", None, Some(1)),
            ("p", "text", Some("x"), Some(1)),
            ("lone", "choice", None, Some(1)),
        ]
    );
}

#[test]
fn fields_are_read_on_request_only() {
    let mut pdf = Pdf::new();
    pdf.field("0 0 1 1", "/FT /Tx /T (a)");
    pdf.page(Page::new(""));
    let file = Syntax::new(pdf.build()).unwrap();
    let pages = Pages::of(&file);
    let info = Structure::of(&file, &pages).info(&Request::default());
    assert_eq!(info.form_fields, []);
}

/// Widgets that their fields do not list, or not in the usual way.
#[test]
fn unlisted_widgets_are_rows() {
    let mut pdf = Pdf::new();
    let radio = pdf.reserve();
    let child = |at: u32, entries: &str| (format!("{at} 0 {} 9", at + 5), entries.to_owned());
    let mut widget = |(place, entries): (String, String)| {
        pdf.annotation("Widget", &place, &format!("/Parent {radio} {entries}"))
    };
    let listed = widget(child(10, "/AS /Off"));
    let named = widget(child(20, "/T (other) /AS /Off"));
    let unlisted = widget(child(30, "/AS /Three"));
    pdf.set(
        radio,
        format!("<< /T (r) /FT /Btn /Ff 32768 /V /Three /Kids [{named} {listed}] >>"),
    );
    let childless = pdf.add("<< /T (text) /FT /Tx /V (x) >>".to_owned());
    let orphan = pdf.annotation("Widget", "40 0 45 9", &format!("/Parent {childless}"));
    pdf.root_field(radio);
    let direct = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (direct) /Rect [50 0 55 9] >>";
    let link = "<< /Type /Annot /Subtype /Link /FT /Tx /T (link) /Rect [60 0 65 9] >>";
    let page = Page::new("").entries(&format!(
        "/Annots [{listed} {named} {unlisted} {orphan} {direct} {link}]"
    ));
    pdf.page(page);
    let fields = info(pdf.build()).form_fields;
    assert_eq!(
        shown(&fields),
        [
            ("r", "radio", Some("Three"), Some(1)),
            ("r.other", "radio", Some("Three"), Some(1)),
            ("r", "radio", Some("Three"), Some(1)),
            ("text", "text", Some("x"), Some(1)),
            ("direct", "text", None, Some(1)),
        ]
    );
    let lefts = fields.iter().map(|field| field.bbox.unwrap().x1);
    assert_eq!(lefts.collect::<Vec<_>>(), [10.0, 20.0, 30.0, 40.0, 50.0]);
}

#[test]
fn widgets_of_a_file_without_a_form_are_rows() {
    let mut pdf = Pdf::new();
    let widget = pdf.annotation("Widget", "1 0 5 9", "/T (a) /FT /Tx /V (b)");
    pdf.page(Page::new("").annotation(widget));
    let fields = info(pdf.build()).form_fields;
    assert_eq!(shown(&fields), [("a", "text", Some("b"), Some(1))]);
}
