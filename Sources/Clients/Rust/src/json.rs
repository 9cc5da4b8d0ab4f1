// SPDX-License-Identifier: MIT
//! JSON values: read, written, and made from Rust's own.

use std::fmt::{self, Write};

/// A JSON value; an object keeps the order of its members.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// An object of these members.
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
    }

    /// Reads one value. The error tells what is wrong, and where.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        if reader.at == text.len() { Ok(value) } else { Err(reader.wrong("the end")) }
    }

    /// A member of an object; `Null` if there is none.
    pub fn get(&self, key: &str) -> &Json {
        self.member(key).unwrap_or(&Json::Null)
    }

    /// The same; none if there is none.
    pub(crate) fn member(&self, key: &str) -> Option<&Json> {
        self.members().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Sets a member of an object.
    pub fn set(&mut self, key: &str, value: Json) {
        if let Json::Object(members) = self {
            match members.iter_mut().find(|(name, _)| name == key) {
                Some(member) => member.1 = value,
                None => members.push((key.to_string(), value)),
            }
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Json::Bool(value) = self { Some(*value) } else { None }
    }

    pub fn as_f64(&self) -> Option<f64> {
        if let Json::Number(value) = self { Some(*value) } else { None }
    }

    /// A number without a fraction.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 9.1e15).map(|value| value as i64)
    }

    pub fn as_str(&self) -> Option<&str> {
        if let Json::Text(value) = self { Some(value) } else { None }
    }

    /// The entries of a list; none of anything else.
    pub fn list(&self) -> &[Json] {
        if let Json::List(entries) = self { entries } else { &[] }
    }

    /// The members of an object; none of anything else.
    pub fn members(&self) -> &[(String, Json)] {
        if let Json::Object(members) = self { members } else { &[] }
    }
}

impl fmt::Display for Json {
    /// Writes it on one line. What is not finite becomes null.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(value) => write!(out, "{value}"),
            Json::Number(value) if value.is_finite() => write!(out, "{value}"),
            Json::Number(_) => out.write_str("null"),
            Json::Text(value) => quote(value, out),
            Json::List(entries) => {
                out.write_char('[')?;
                for (index, entry) in entries.iter().enumerate() {
                    write!(out, "{}{entry}", if index > 0 { "," } else { "" })?;
                }
                out.write_char(']')
            }
            Json::Object(members) => {
                out.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    out.write_str(if index > 0 { "," } else { "" })?;
                    quote(key, out)?;
                    write!(out, ":{value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn quote(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            '\0'..='\u{1f}' => write!(out, "\\u{:04x}", character as u32)?,
            _ => out.write_char(character)?,
        }
    }
    out.write_char('"')
}

macro_rules! from {
    ($($type:ty, $value:ident => $json:expr;)*) => {
        $(impl From<$type> for Json {
            fn from($value: $type) -> Json { $json }
        })*
    };
}
from! {
    bool, value => Json::Bool(value);
    f64, value => Json::Number(value);
    i32, value => Json::Number(value.into());
    i64, value => Json::Number(value as f64);
    &str, value => Json::Text(value.to_string());
    String, value => Json::Text(value);
    Vec<Json>, value => Json::List(value);
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, expected: &str) -> String {
        format!("expected {expected} at byte {}", self.at)
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn tries(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        self.space();
        match self.peek() {
            _ if depth > 128 => Err(self.wrong("fewer levels")),
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => Ok(Json::Text(self.string()?)),
            _ if self.tries("null") => Ok(Json::Null),
            _ if self.tries("true") => Ok(Json::Bool(true)),
            _ if self.tries("false") => Ok(Json::Bool(false)),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        while !self.tries("}") {
            if !members.is_empty() && !self.tries(",") {
                return Err(self.wrong("\",\" or \"}\""));
            }
            self.space();
            let key = self.string()?;
            self.space();
            if !self.tries(":") {
                return Err(self.wrong("\":\""));
            }
            members.push((key, self.value(depth + 1)?));
            self.space();
        }
        Ok(Json::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        let mut entries = Vec::new();
        self.at += 1;
        self.space();
        while !self.tries("]") {
            if !entries.is_empty() && !self.tries(",") {
                return Err(self.wrong("\",\" or \"]\""));
            }
            entries.push(self.value(depth + 1)?);
            self.space();
        }
        Ok(Json::List(entries))
    }

    fn number(&mut self) -> Result<Json, String> {
        let rest = &self.text[self.at..];
        let size = rest.find(|one: char| !matches!(one, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let number = rest[..size].parse().map_err(|_| self.wrong("a value"))?;
        self.at += size;
        Ok(Json::Number(number))
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.tries("\"") {
            return Err(self.wrong("a text"));
        }
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let size = rest.find(['"', '\\']).ok_or_else(|| self.wrong("the end of a text"))?;
            text.push_str(&rest[..size]);
            self.at += size + 1;
            if rest.as_bytes()[size] == b'"' {
                return Ok(text);
            }
            text.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        self.at += 1;
        match self.text.as_bytes().get(self.at - 1).copied() {
            Some(b'b') => Ok('\u{8}'),
            Some(b'f') => Ok('\u{c}'),
            Some(b'n') => Ok('\n'),
            Some(b'r') => Ok('\r'),
            Some(b't') => Ok('\t'),
            Some(b'u') => {
                let mut units = vec![self.unit()?];
                if (0xd800..0xdc00).contains(&units[0]) && self.tries("\\u") {
                    units.push(self.unit()?);
                }
                let decoded = char::decode_utf16(units).next().and_then(Result::ok);
                decoded.ok_or_else(|| self.wrong("a character"))
            }
            Some(one @ (b'"' | b'\\' | b'/')) => Ok(one.into()),
            _ => Err(self.wrong("an escape")),
        }
    }

    fn unit(&mut self) -> Result<u16, String> {
        let digits = self.text.get(self.at..self.at + 4).ok_or_else(|| self.wrong("four digits"))?;
        let unit = u16::from_str_radix(digits, 16).map_err(|_| self.wrong("four digits"))?;
        self.at += 4;
        Ok(unit)
    }
}
