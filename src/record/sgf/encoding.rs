//! Bytes to text.

use std::borrow::Cow;

use encoding_rs::{Encoding, REPLACEMENT, WINDOWS_1252};

use super::property::short_name;
use super::text::closing;

/// The text of a file. What says how it is encoded, the first of these:
///
/// 1. a byte-order mark of UTF-8 or UTF-16;
/// 2. `CA[…]` in the root of the first tree, if it names an encoding of the WHATWG list (GBK, Shift_JIS, Big5, EUC-KR,
///    …) or has a usual other name (`latin-1`, `cp936`, …);
/// 3. the bytes, if they are UTF-8;
/// 4. Windows-1252, which agrees with Latin-1 in all that is printable.
///
/// Never fails: malformed bytes become U+FFFD. The byte-order mark is not part of the text.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Some(encoding) = label(bytes).and_then(named) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// The encoding with a name.
fn named(label: &[u8]) -> Option<&'static Encoding> {
    let label = label.trim_ascii();
    let encoding = Encoding::for_label(label).or_else(|| {
        let other: &[u8] = match label.to_ascii_lowercase().as_slice() {
            b"latin-1" | b"iso-latin-1" | b"cp-1252" => b"latin1",
            b"cp936" | b"ms936" | b"windows-936" | b"euc-cn" | b"gb-2312" | b"gb-18030" => b"gb18030",
            b"cp932" | b"windows-932" | b"shift jis" | b"shiftjis" => b"shift_jis",
            b"eucjp" => b"euc-jp",
            b"cp949" | b"ms949" | b"euckr" => b"euc-kr",
            b"cp950" | b"ms950" | b"windows-950" | b"big-5" => b"big5",
            _ => return None,
        };
        Encoding::for_label(other)
    })?;
    // the name was read byte by byte, so the file is not UTF-16, whatever it says; and the names of encodings that are
    // thought unsafe stand for one that decodes nothing
    (encoding.is_ascii_compatible() && encoding != REPLACEMENT).then_some(encoding)
}

/// The value of `CA` in the root of the first tree. What is odd is passed over: [`super::parse()`] will speak of it.
fn label(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = root(bytes)?;
    let mut found = false;
    loop {
        match *bytes.get(at)? {
            b'[' => {
                let start = at + 1;
                let end = start + closing(&bytes[start..])?;
                if found {
                    return Some(&bytes[start..end]);
                }
                at = end + 1;
            }
            b';' | b'(' | b')' => return None,
            byte if byte.is_ascii_alphabetic() => {
                let len = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                found = std::str::from_utf8(&bytes[at..at + len]).is_ok_and(|ident| short_name(ident) == "CA");
                at += len;
            }
            _ => at += 1,
        }
    }
}

/// Behind the `(;` that begins the first tree, or behind its `(` alone if there is none.
fn root(bytes: &[u8]) -> Option<usize> {
    let behind = |open: usize| {
        let rest = &bytes[open + 1..];
        let space = rest.iter().take_while(|b| **b <= b' ').count();
        (rest.get(space) == Some(&b';')).then_some(open + space + 2)
    };
    memchr::memchr_iter(b'(', bytes).find_map(behind).or_else(|| memchr::memchr(b'(', bytes).map(|open| open + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(label: &str, name: &str) -> Vec<u8> {
        let (bytes, _, bad) = Encoding::for_label(label.as_bytes()).unwrap().encode(name);
        assert!(!bad);
        [b"(;FF[4]PB[", &*bytes, b"]CA[", label.as_bytes(), b"];B[ee])"].concat()
    }

    #[test]
    fn the_root_names_the_encoding() {
        // the second bytes of 表 in Shift_JIS and of 功 in Big5 are backslashes
        let cases =
            [("gbk", "古力"), ("shift_jis", "井山裕太"), ("big5", "張栩"), ("euc-kr", "이세돌"), ("latin1", "Günter")];
        for (label, name) in cases {
            let text = format!("(;FF[4]PB[{name}]CA[{label}];B[ee])");
            assert_eq!(decode(&encoded(label, name)), text);
        }
        assert_eq!(decode(b"(;CA[ Latin-1 ]PB[\xe9])"), "(;CA[ Latin-1 ]PB[é])");
        assert_eq!(decode(b"(;CharAcset[big5]PB[\xb1i])"), "(;CharAcset[big5]PB[張])");
        assert_eq!(decode(b"junk (x) ( ;\nCA\n[cp936]PB[\xb9\xc5])"), "junk (x) ( ;\nCA\n[cp936]PB[古])");
        assert_eq!(decode(b"(CA[gbk]PB[\xb9\xc5])"), "(CA[gbk]PB[古])");
        // a claim that does not hold
        assert_eq!(decode(b"(;CA[UTF-8]PB[\xe9!])"), "(;CA[UTF-8]PB[\u{fffd}!])");
    }

    #[test]
    fn a_second_byte_may_look_like_a_backslash() {
        let text = decode(b"(;CA[shift_jis]PB[\x95\x5c]C[x])").into_owned();
        assert_eq!(text, "(;CA[shift_jis]PB[表]C[x])");
        assert!(super::super::parse(&text).is_ok());
    }

    #[test]
    fn other_properties_name_no_encoding() {
        for text in ["(;C[CA[gbk\\]]PB[é])", "(;XCA[gbk]PB[é])", "(;CAX[gbk]PB[é])", "(;C[x](;CA[gbk]PB[é]))"] {
            assert_eq!(decode(text.as_bytes()), text);
        }
        // names of nothing, of what cannot be, and of what is not decoded
        for label in ["", "klingon", "UTF-16", "iso-2022-kr", "replacement"] {
            let text = format!("(;CA[{label}]PB[é])");
            assert_eq!(decode(text.as_bytes()), text);
        }
    }

    #[test]
    fn a_byte_order_mark_is_stronger() {
        assert_eq!(decode(b"\xef\xbb\xbf(;CA[gbk]C[\xc3\xa9])"), "(;CA[gbk]C[é])");
        let text = "(;CA[gbk]C[é棋])";
        let units = || text.encode_utf16();
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
        assert_eq!((decode(&little), decode(&big)), (text.into(), text.into()));
    }

    #[test]
    fn without_a_name_it_is_utf_8_or_latin_1() {
        let text = "(;C[é棋])";
        assert!(matches!(decode(text.as_bytes()), Cow::Borrowed(t) if t == text));
        assert_eq!(decode(b"(;C[\xe9])"), "(;C[é])");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"(;CA[gbk"), "(;CA[gbk");
    }
}
