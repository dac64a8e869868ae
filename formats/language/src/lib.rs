pub mod fasttext;
