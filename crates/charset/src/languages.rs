//! The letters and characters of languages, the most frequent first.
//!
//! Only their order matters. Probabilities fall roughly exponentially with the rank, which is good
//! enough to distinguish a text from the same bytes decoded in another charset.

/// One language written with an alphabet.
pub struct Alphabet {
    /// Lower case or caseless. For Latin scripts, only the non-ASCII letters.
    pub letters: &'static str,
    pub is_latin: bool,
}

const fn latin(letters: &'static str) -> Alphabet {
    Alphabet {
        letters,
        is_latin: true,
    }
}

const fn other(letters: &'static str) -> Alphabet {
    Alphabet {
        letters,
        is_latin: false,
    }
}

pub const ALPHABETS: &[Alphabet] = &[
    latin("éèàêçôîûùâïëœ"),                                       // French
    latin("üäößé"),                                               // German
    latin("óíáéñúüª"),                                            // Spanish
    latin("ãçáéíóêõúâàôº"),                                       // Portuguese
    latin("èàùòìé"),                                              // Italian
    latin("óéèàíçòïúüñ·"),                                        // Catalan
    latin("ëéïèöü"),                                              // Dutch
    latin("øåæéöä"),                                              // Danish, Norwegian
    latin("äöåéü"),                                               // Swedish, Finnish
    latin("áíðéóþæöúý"),                                          // Icelandic, Faroese
    latin("äõüöšž"),                                              // Estonian
    latin("łąężóśćńź"),                                           // Polish
    latin("áíéěřčžýšůúťóňď"),                                     // Czech
    latin("áíčéšžýúľôťňäďóŕĺ"),                                   // Slovak
    latin("áéöóőüíúű"),                                           // Hungarian
    latin("ăîâşţ"),                                               // Romanian with cedillas
    latin("ăîâșț"),                                               // Romanian with commas
    latin("čšžćđ"),                                               // Croatian, Slovene
    latin("ëç"),                                                  // Albanian
    latin("ışüğçöİâîû"),                                          // Turkish
    latin("ėšųžįūąčę"),                                           // Lithuanian
    latin("āīšēņļūžčķģŗ"),                                        // Latvian
    latin("ħżġċàèìù"),                                            // Maltese
    latin("ĉĝĥĵŝŭ"),                                              // Esperanto
    latin("âŵêîôŷ"),                                              // Welsh
    latin("áíéóú"),                                               // Irish
    latin("áčđŋšŧžâ"),                                            // Sami
    latin("đ\u{301}\u{300}\u{323}ươôêăâ\u{309}\u{303}àáéúíóèùý"), // Vietnamese, marks apart
    other("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),                   // Russian
    other("оанитврілкседмпузяьбгчйхцїюжєшщфґ"),                   // Ukrainian
    other("аоиетнрсвлкдпмзгуъбчяжщцйшхфюь"),                      // Bulgarian
    other("аоиејнтсрвдкумплзгбћђшчцжљњџхфѓќѕ"),                   // Serbian, Macedonian
    other("анаіетрсклвдопымуязйьбгцўшчжюхфёэ"),                   // Belarusian
    other("αοιετνσηυρπκςμλόίγδάθήώέφύχζβξψϊϋΐΰ"),                 // Greek
    other("יוהלאמרבתשנםדכחקעפגטןצסזךץףװױײ"),                      // Hebrew
    other(
        "יוהלאמרבתשנםדכחקעפגטןצסזךץףװױײ\
        \u{5b0}\u{5b1}\u{5b2}\u{5b4}\u{5b5}\u{5b6}\u{5b7}\u{5b8}\u{5b9}\u{5bc}\u{5c1}\u{5c2}",
    ), // Hebrew with points
    other("ايلمنورتبةعدسكهفحقجىأشطصخإضذثزغئءظآؤـًٌٍَُِّْ"),               // Arabic
    other("ايرندمهوتبسشكگزفخقلحعجپصطضچغذثژآئءہھےٹں"),             // Persian, Urdu
    other("านรกอเงมยล่้วสตทัิดคปบีหแจพ็ใขไโชถะุำผูึซฟๆธณญฐศ์ภษืฝฉฎฑฤฬ"),     // Thai
];

/// The non-ASCII characters of English, hardly any of them letters. Every charset has some.
pub static ENGLISH: Alphabet = latin("’\u{a0}—“”–•…é·©»®‘£€«°™×½‹›─│±");

pub const JAPANESE: &str = "いのしたにるてんをとがはでかれなもりっうまらすさくきこあけよおせつそどめ\
ちみばやわえろだ、。ンスールトイリラクアシッドレジ一日人年大中本国出会事生分上者行自社月時地方見手間前合場業";

pub const SIMPLIFIED: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能\
而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意";

pub const TRADITIONAL: &str = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能\
而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意";

pub const KOREAN: &str = "이다는의가에을하고지기사은한로들도를인자리시대서어나해정과라수부아일\
그스전만여보제장원성주구조상게용공안동요것관계신우경모무물화비세미있습니오유";

/// Half-width katakana.
pub const HALF_WIDTH_KANA: &str = "ﾞﾝｰｽﾄﾟｼﾙｲｸﾌﾗﾘﾀﾊｶｯｺﾃﾚｷｱﾏﾐﾁｪﾍｮﾒﾆﾅﾛｳｭｴｹｬｻｵﾓｿﾑﾋﾔｧﾉｾﾎﾂｨｫﾕｩﾖﾜﾈﾇｦ｢｣｡､･";

/// A character and its surprise: the negative logarithm of its probability.
pub type Surprise = (char, f32);

/// The surprise of each character of a string. Together they make up `share` of a text, and the
/// last is `decline` times rarer than the first.
pub fn ranked(characters: &str, share: f32, decline: f32) -> Vec<Surprise> {
    let count = characters.chars().count().max(2) as f32;
    let step = decline.ln() / (count - 1.0);
    let sum: f32 = (0..count as u32)
        .map(|rank| (-step * rank as f32).exp())
        .sum();
    let first = (sum / share).ln();
    let surprise = |(rank, character)| (character, first + step * rank);
    characters
        .chars()
        .enumerate()
        .map(|(rank, c)| surprise((rank as f32, c)))
        .collect()
}

/// Like [`ranked`], in the order of characters.
pub fn sorted(characters: &str, share: f32, decline: f32) -> Vec<Surprise> {
    let mut surprises = ranked(characters, share, decline);
    // Stable, so that the first of two equal characters counts.
    surprises.sort_by_key(|(character, _)| *character);
    surprises.dedup_by_key(|(character, _)| *character);
    surprises
}

/// The position of a character in a [`sorted`] list.
pub fn position_of(character: char, sorted: &[Surprise]) -> Option<usize> {
    let found = sorted.binary_search_by_key(&character, |(known, _)| *known);
    found.ok()
}

/// The surprise of a character in a [`sorted`] list.
pub fn surprise_of(character: char, sorted: &[Surprise]) -> Option<f32> {
    let found = sorted.get(position_of(character, sorted)?)?;
    Some(found.1)
}
