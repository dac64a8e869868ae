//! Splits text into words: for the index, for queries, and in the text of a hit.
//!
//! ```text
//! stream    splits text into tokens
//! scripts   classes of characters
//! fold      folds case, width and accents
//! language  languages with stemming
//! ```

mod fold;
mod language;
pub mod scripts;
mod stream;

use tantivy::tokenizer::{Stemmer, TextAnalyzer, Token, TokenFilter, TokenStream, Tokenizer};

use self::fold::{Accents, fold_into};
pub use self::language::Language;
use self::stream::WordTokenizer;

/// The rules for the words of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordRules {
    /// The language whose words are stemmed.
    pub language: Option<Language>,
    /// Whether the most frequent words of that language are ignored (stop words).
    pub stop_words: bool,
}

impl WordRules {
    /// The name of these rules in Tantivy's schema.
    pub fn tokenizer_name(&self) -> String {
        match self.language {
            None => "words".to_owned(),
            Some(language) if self.stop_words => format!("words_{}_stop", language.name()),
            Some(language) => format!("words_{}", language.name()),
        }
    }

    pub fn analyzer(&self) -> TextAnalyzer {
        let Some(language) = self.language else {
            return plain_analyzer();
        };
        let stemmer = Stemmer::new(language.algorithm());
        let words = TextAnalyzer::builder(WordTokenizer::new(Accents::Keep));
        match self.stop_words.then(|| language.stop_words()).flatten() {
            Some(stop) => words
                .filter(stop)
                .filter(stemmer)
                .filter(Unaccented)
                .build(),
            None => words.filter(stemmer).filter(Unaccented).build(),
        }
    }
}

/// Returns the tokenizer without stemming. Prefixes are compared with its words.
pub fn plain_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(WordTokenizer::new(Accents::Remove)).build()
}

/// Removes the accents that the stemmer needed.
#[derive(Clone)]
struct Unaccented;

impl TokenFilter for Unaccented {
    type Tokenizer<T: Tokenizer> = UnaccentedTokenizer<T>;

    fn transform<T: Tokenizer>(self, tokenizer: T) -> UnaccentedTokenizer<T> {
        UnaccentedTokenizer(tokenizer)
    }
}

#[derive(Clone)]
struct UnaccentedTokenizer<T>(T);

impl<T: Tokenizer> Tokenizer for UnaccentedTokenizer<T> {
    type TokenStream<'a> = UnaccentedStream<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        UnaccentedStream(self.0.token_stream(text))
    }
}

struct UnaccentedStream<T>(T);

impl<T: TokenStream> TokenStream for UnaccentedStream<T> {
    fn advance(&mut self) -> bool {
        if !self.0.advance() {
            return false;
        }
        let token = self.0.token_mut();
        if !token.text.is_ascii() {
            let mut folded = String::with_capacity(token.text.len());
            fold_into(&token.text, Accents::Remove, &mut folded);
            token.text = folded;
        }
        true
    }

    fn token(&self) -> &Token {
        self.0.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.0.token_mut()
    }
}

#[cfg(test)]
mod tests;
