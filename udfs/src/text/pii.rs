//! Personal data.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use corpus_text::pii::{Kind, mask};

use super::{TEXT, TEXT_ARGUMENT, map_texts};
use crate::function::{Parameter, constant, functions};
use crate::settings::CorpusSettings;

/// Parses names of kinds, separated by commas; all kinds by default.
fn kinds(names: Option<&str>) -> Result<Vec<Kind>, String> {
    let Some(names) = names else {
        return Ok(Kind::ALL.to_vec());
    };
    let kind = |name: &str| {
        let name = name.trim();
        let known = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| {
            let all = Kind::ALL.map(Kind::name).join("', '");
            format!("unknown kind '{name}': expected '{all}'")
        })
    };
    names.split(',').map(kind).collect()
}

const KINDS: Parameter = Parameter::text(
    "kinds",
    "Some of 'email', 'ip', 'phone', 'card', 'my_number', separated by commas; by default all.",
)
.optional()
.constant(|names| kinds(Some(names)).map(|_| ()));

functions! {
    "Text Functions";

    /// Replaces personal data by <EMAIL>, <IP>, <PHONE>, <CARD> and <MY_NUMBER>: e-mail addresses;
    /// public IP addresses, unless after a word such as 'version'; telephone numbers with a country
    /// code, in usual groups, or after a word such as 'tel'; with valid check digits, card numbers,
    /// and Japanese individual numbers next to a word such as マイナンバー. Full-width characters count
    /// as ASCII.
    ///
    /// > SELECT text_mask_pii('Mail ann@mail.example or call 03-1234-5678.');
    /// Mail <EMAIL> or call <PHONE>.
    text_mask_pii(TEXT_ARGUMENT, KINDS) -> TEXT;
}

fn text_mask_pii(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let kinds = kinds(constant(&args[1])).unwrap_or_else(|_| Kind::ALL.to_vec());
    map_texts(&args[0], |text| mask(text, &kinds))
}
