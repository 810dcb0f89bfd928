//! Values by the formats that providers document, made up when a test runs, so that no scanner takes a file of forms for
//! a leak.
//!
//! A hole is `⟨` a class and a length `⟩` (`R`: so many bytes in base64), the word of a structure, or `=` and a text.

const WORDS: &[&str] = &["Lantern", "Orchard", "Falcon", "Harbor", "Copper", "Meadow", "Violet", "Winter", "Thunder"];

/// Numbers that look random and are the same in every run.
pub(crate) struct SeededRng(pub(crate) u64);

impl SeededRng {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap() % below
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| u8::try_from(self.next(256)).unwrap()).collect()
    }

    fn text(&mut self, alphabet: &str, len: usize) -> String {
        (0..len).map(|_| char::from(alphabet.as_bytes()[self.next(alphabet.len())])).collect()
    }

    /// A password as people or their managers choose it.
    fn password(&mut self) -> String {
        let word = WORDS[self.next(WORDS.len())];
        let digits = |dice: &mut Self, len| dice.text(DIGITS, len);
        match self.next(5) {
            0 => format!("{word}{}{}", digits(self, 3), self.text("!#$*", 1)),
            1 => format!("{}{}{}", self.text("#%*+!", 1), self.class('w', 11), self.text("!#*", 1)),
            2 => self.class('w', 16),
            3 => format!("{}{word}{}", digits(self, 2), WORDS[self.next(WORDS.len())]),
            _ => format!("{}{}{}{}", self.class('l', 3), self.text("@!#", 1), digits(self, 3), self.class('L', 3)),
        }
    }

    fn class(&mut self, class: char, len: usize) -> String {
        let alphabet = match class {
            'd' => DIGITS.to_owned(),
            'h' => format!("{DIGITS}abcdef"),
            'H' => format!("{DIGITS}ABCDEF"),
            'l' => LETTERS.to_owned(),
            'L' => LETTERS.to_uppercase(),
            'm' => format!("{LETTERS}{}", LETTERS.to_uppercase()),
            'a' => format!("{DIGITS}{LETTERS}"),
            'A' => format!("{DIGITS}{}", LETTERS.to_uppercase()),
            'z' => format!("{LETTERS}234567"),
            'B' => format!("{}234567", LETTERS.to_uppercase()),
            'b' => format!("{DIGITS}{LETTERS}{}+/", LETTERS.to_uppercase()),
            'u' => format!("{DIGITS}{LETTERS}{}-_", LETTERS.to_uppercase()),
            'S' => format!("{DIGITS}{LETTERS}{}!@#$%^&*(-_=+)", LETTERS.to_uppercase()),
            'w' => format!("{DIGITS}{LETTERS}{}", LETTERS.to_uppercase()),
            other => panic!("no class {other}"),
        };
        self.text(&alphabet, len)
    }

    fn fill_hole(&mut self, hole: &str) -> String {
        if let Some(verbatim) = hole.strip_prefix('=') {
            return verbatim.to_owned();
        }
        match hole {
            "pw" => self.password(),
            "basic" => base64(format!("deploy:{}", self.class('w', 14)).as_bytes()),
            "b64pw" => base64(self.password().as_bytes()),
            "uuid" => self.uuid(),
            "vault" => format!("hvs.{}", self.class('u', 90)),
            "github" => {
                let body = self.class('w', 30);
                let sum = crc32(body.as_bytes());
                let digit = |power: u32| usize::try_from(sum / 62_u32.pow(power) % 62).unwrap();
                let digits = format!("{DIGITS}{}{LETTERS}", LETTERS.to_uppercase());
                (0..6).rev().fold(body, |token, power| token + &digits[digit(power)..=digit(power)])
            }
            "jwt" => {
                let claims = format!("{{\"sub\":\"{}\",\"exp\":18900{}}}", self.class('a', 12), self.class('d', 5));
                let parts = ["{\"alg\":\"HS256\",\"typ\":\"JWT\"}", &claims].map(|part| urlsafe(part.as_bytes()));
                format!("{}.{}.{}", parts[0], parts[1], self.class('u', 43))
            }
            "pypi" => {
                let body = [b"\x02\x01\x08pypi.org\x02".as_slice(), &self.bytes(100)].concat();
                format!("pypi-{}", urlsafe(&body))
            }
            "pwb" => self.password_with_bracket(),
            "pws" => self.passphrase(),
            "snowflake" => urlsafe(format!("1{}", self.class('d', 17)).as_bytes()),
            "age" => age(&self.bytes(32)),
            "pem64" => {
                let block = self.pem("RSA", "\n");
                base64(block.as_bytes())
            }
            _ if hole.starts_with("b64:") => base64(self.compose(&hole[4..]).as_bytes()),
            _ if hole.starts_with("b64url:") => urlsafe(self.compose(&hole[7..]).as_bytes()),
            _ if hole.starts_with("url:") => {
                self.compose(&hole[4..]).replace('%', "%25").replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
            }
            _ if hole.starts_with("slash") => self.with_slashes(hole[5..].parse().unwrap()),
            _ if hole.starts_with("pem1 ") => self.pem(&hole[5..], "\\n"),
            _ if hole.starts_with("pem2 ") => format!("  {}", self.pem(&hole[5..], "\n  ")),
            _ if hole.starts_with("pem ") => self.pem(&hole[4..], "\n"),
            _ => {
                let class = hole.chars().next().unwrap();
                let len = hole[class.len_utf8()..].parse().unwrap();
                if class == 'R' { base64(&self.bytes(len)) } else { self.class(class, len) }
            }
        }
    }

    /// A UUID of version 4, variant 1 (RFC 9562).
    fn uuid(&mut self) -> String {
        let mut uuid = [8, 4, 4, 4, 12].map(|len| self.class('h', len)).join("-");
        uuid.replace_range(14..15, "4");
        uuid.replace_range(19..20, "a");
        uuid
    }

    fn password_with_bracket(&mut self) -> String {
        let word = WORDS[self.next(WORDS.len())];
        let parts = [self.class('w', 3), self.text("([{<", 1), word.to_owned(), self.class('d', 3), self.class('w', 4)];
        parts.concat()
    }

    /// A password of several words.
    fn passphrase(&mut self) -> String {
        let words = [0, 1, 2].map(|_| WORDS[self.next(WORDS.len())].to_lowercase());
        format!("{} {}{} {} {}", words[0], self.class('w', 4), self.class('d', 2), words[1], words[2])
    }

    /// The content of a hole within a hole: holes and, after `=`, texts, between `+`.
    fn compose(&mut self, parts: &str) -> String {
        parts.split('+').map(|part| self.fill_hole(part)).collect()
    }

    /// Base64 with at least four slashes among so many signs.
    fn with_slashes(&mut self, len: usize) -> String {
        let mut signs: Vec<char> = self.class('w', len).chars().collect();
        for part in 0..5 {
            let at = part * len / 5 + 1 + self.next(len / 5 - 2);
            signs[at] = '/';
        }
        signs.into_iter().collect()
    }

    /// A private key: the head of its kind's encoding, then bytes by chance.
    fn pem(&mut self, kind: &str, line_end: &str) -> String {
        let (label, head, len): (&str, &[u8], usize) = match kind {
            "RSA" => ("RSA PRIVATE KEY", &[0x30, 0x82, 0x04, 0xa3, 0x02, 0x01, 0x00, 0x02, 0x82, 0x01, 0x01], 1180),
            "EC" => ("EC PRIVATE KEY", &[0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20], 114),
            "DSA" => ("DSA PRIVATE KEY", &[0x30, 0x82, 0x01, 0xbb, 0x02, 0x01, 0x00], 440),
            "PKCS8" => ("PRIVATE KEY", &[0x30, 0x82, 0x04, 0xbe, 0x02, 0x01, 0x00, 0x30, 0x0d], 1209),
            _ => ("OPENSSH PRIVATE KEY", b"openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none", 340),
        };
        let body = base64(&[head, &self.bytes(len)].concat());
        let lines: Vec<&str> = body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let lines = lines.join(line_end);
        format!("-----BEGIN {label}-----{line_end}{lines}{line_end}-----END {label}-----")
    }

    /// Fills the holes of a form.
    pub(crate) fn fill(&mut self, form: &str) -> String {
        let mut parts = form.split(['⟨', '⟩']);
        let mut filled = parts.next().unwrap().to_owned();
        while let (Some(hole), Some(rest)) = (parts.next(), parts.next()) {
            filled.push_str(&self.fill_hole(hole));
            filled.push_str(rest);
        }
        filled
    }
}

const DIGITS: &str = "0123456789";

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}

fn base64(bytes: &[u8]) -> String {
    let alphabet = format!("{}{LETTERS}{DIGITS}+/", LETTERS.to_uppercase());
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(group.get(at).copied().unwrap_or(0)));
        for at in 0..=group.len() {
            text.push(char::from(alphabet.as_bytes()[bits >> (18 - 6 * at) & 63]));
        }
    }
    text + ["", "==", "="][bytes.len() % 3]
}

fn urlsafe(bytes: &[u8]) -> String {
    base64(bytes).trim_end_matches('=').replace('+', "-").replace('/', "_")
}

/// An identity of age: bech32 (BIP 173).
fn age(key: &[u8]) -> String {
    const ALPHABET: &[u8] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let mut data: Vec<u32> = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for byte in key {
        bits = bits << 8 | u32::from(*byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            data.push(bits >> held & 31);
        }
    }
    data.push(bits << (5 - held) & 31);
    let prefix = b"age-secret-key-";
    let high = prefix.iter().map(|sign| u32::from(*sign) >> 5);
    let low = prefix.iter().map(|sign| u32::from(*sign) & 31);
    let sum = high.chain([0]).chain(low).chain(data.iter().copied()).chain([0; 6]).fold(1_u32, |sum, value| {
        let factors = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
        let mixed = (sum & 0x1ff_ffff) << 5 ^ value;
        (0..5).filter(|bit| sum >> 25 >> bit & 1 == 1).fold(mixed, |mixed, bit| mixed ^ factors[bit])
    }) ^ 1;
    data.extend((0..6).map(|at| sum >> (5 * (5 - at)) & 31));
    let text: String = data.iter().map(|value| char::from(ALPHABET[usize::try_from(*value).unwrap()])).collect();
    format!("1{}", text.to_uppercase())
}

/// Returns a name with underscores as an identifier of many languages: `apiKey`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}
