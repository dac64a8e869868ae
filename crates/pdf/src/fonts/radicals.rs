//! Radicals of Chinese characters. Fonts have one glyph for a radical and the character of the same
//! shape, so programs that look the character of a glyph up write the radical.

/// The characters of the radicals from U+2F00 on, each of three bytes.
const KANGXI: &str = "\
    一丨丶丿乙亅二亠人儿入八冂冖冫几凵刀力勹匕匚匸十卜卩厂厶又口囗土士夂夊夕\
    大女子宀寸小尢尸屮山巛工己巾干幺广廴廾弋弓彐彡彳心戈戶手支攴文斗斤方无日\
    曰月木欠止歹殳毋比毛氏气水火爪父爻爿片牙牛犬玄玉瓜瓦甘生用田疋疒癶白皮皿\
    目矛矢石示禸禾穴立竹米糸缶网羊羽老而耒耳聿肉臣自至臼舌舛舟艮色艸虍虫血行\
    衣襾見角言谷豆豕豸貝赤走足身車辛辰辵邑酉釆里金長門阜隶隹雨靑非面革韋韭音\
    頁風飛食首香馬骨高髟鬥鬯鬲鬼魚鳥鹵鹿麥麻黃黍黑黹黽鼎鼓鼠鼻齊齒龍龜龠";

/// The character with the shape of a radical; empty for parts of characters.
pub fn character(radical: char) -> &'static str {
    if let Some(place) = u32::from(radical).checked_sub(0x2f00) {
        let start = 3 * place as usize;
        return KANGXI.get(start..start + 3).unwrap_or_default();
    }
    match radical {
        '\u{2e9f}' => "母",
        '\u{2ea0}' => "民",
        '\u{2eb6}' => "羊",
        '\u{2ec1}' => "虎",
        '\u{2ec4}' => "西",
        '\u{2ec5}' => "见",
        '\u{2ec6}' => "角",
        '\u{2ec9}' => "贝",
        '\u{2ecb}' => "车",
        '\u{2ed1}' => "長",
        '\u{2ed3}' => "长",
        '\u{2ed4}' => "门",
        '\u{2ed8}' => "青",
        '\u{2ed9}' => "韦",
        '\u{2eda}' => "页",
        '\u{2edb}' => "风",
        '\u{2edc}' => "飞",
        '\u{2edd}' => "食",
        '\u{2ee2}' => "马",
        '\u{2ee3}' => "骨",
        '\u{2ee4}' => "鬼",
        '\u{2ee5}' => "鱼",
        '\u{2ee6}' => "鸟",
        '\u{2ee7}' => "卤",
        '\u{2ee8}' => "麦",
        '\u{2ee9}' => "黄",
        '\u{2eea}' => "黾",
        '\u{2eeb}' => "斉",
        '\u{2eec}' => "齐",
        '\u{2eed}' => "歯",
        '\u{2eee}' => "齿",
        '\u{2eef}' => "竜",
        '\u{2ef0}' => "龙",
        '\u{2ef1}' => "龜",
        '\u{2ef2}' => "亀",
        '\u{2ef3}' => "龟",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::character;

    #[test]
    fn radicals_are_the_characters_of_their_shapes() {
        let found = |radicals: &str| radicals.chars().map(character).collect::<String>();
        assert_eq!(found("\u{2f00}\u{2f08}\u{2fd5}"), "一人龠");
        assert_eq!(found("\u{2edb}\u{2e80}\u{2fd6}"), "风");
    }
}
