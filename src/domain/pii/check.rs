//! Checks of numbers: ranges, dates and check digits as their issuers define them.
//!
//! A check sees only letters and digits, without separators, and only lengths that a format of its kind allows.

/// Returns the value of each digit; `None` when there is a letter.
fn parse_digits<const N: usize>(value: &[u8]) -> Option<[u32; N]> {
    let value: &[u8; N] = value.try_into().ok()?;
    value.iter().all(u8::is_ascii_digit).then(|| value.map(|byte| u32::from(byte - b'0')))
}

/// Returns the weighted sum of digits.
fn weighted_sum(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

fn parse_number(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

fn is_valid(check: Option<bool>) -> bool {
    check.unwrap_or_default()
}

/// Returns whether all digits are the same, or each is the successor of the one before: made-up numbers.
pub(super) fn is_trivial_sequence(value: &[u8]) -> bool {
    let same = |step: u8| value.windows(2).all(|two| matches!(two, [a, b] if a.wrapping_add(step) == *b));
    same(0) || same(1)
}

fn is_month_day(month: u32, day: u32) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

fn luhn(value: &[u8]) -> bool {
    let sum: u32 = value
        .iter()
        .rev()
        .map(|byte| u32::from(byte.wrapping_sub(b'0')))
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => digit,
            (_, doubled) => doubled - if doubled > 9 { 9 } else { 0 },
        })
        .sum();
    value.iter().all(u8::is_ascii_digit) && sum.is_multiple_of(10)
}

/// Test cards of payment services.
const TEST_CARDS: &[&[u8]] = &[
    b"4111111111111111",
    b"4242424242424242",
    b"4012888888881881",
    b"4000056655665556",
    b"4222222222222",
    b"5555555555554444",
    b"5105105105105100",
    b"5200828282828210",
    b"5425233430109903",
    b"2223003122003222",
    b"2223000048400011",
    b"378282246310005",
    b"371449635398431",
    b"378734493671000",
    b"6011111111111117",
    b"6011000990139424",
    b"6011000400000000",
    b"3056930009020004",
    b"30569309025904",
    b"38520000023237",
    b"36227206271667",
    b"3530111333300000",
    b"3566002020360505",
    b"6200000000000005",
    b"4000000000000002",
    b"4000000000000077",
    b"4917610000000000",
    b"5454545454545454",
    b"4444333322221111",
];

/// A payment card: the issuer's range and length, and Luhn.
pub(super) fn card(value: &[u8]) -> bool {
    let head = |length: usize| value.get(..length).and_then(parse_number).unwrap_or_default();
    let fits = match value.len() {
        13 | 19 if value.starts_with(b"4") => true,
        14 => matches!(head(3), 300..=305 | 360..=369 | 380..=399),
        15 => matches!(head(2), 34 | 37),
        16 => {
            value.starts_with(b"4")
                || matches!(head(2), 51..=55 | 62 | 65)
                || matches!(head(3), 644..=649)
                || matches!(
                    head(4),
                    2200..=2204 | 2221..=2720 | 3528..=3589 | 5018 | 5020 | 5038 | 5893 | 6011 | 6304 | 6759 | 6761..=6763
                )
        }
        17..=19 => head(2) == 62,
        _ => false,
    };
    fits && luhn(value) && !is_trivial_sequence(value) && !TEST_CARDS.contains(&value)
}

/// The length of the account numbers of each country.
#[rustfmt::skip]
const IBAN_LENGTHS: &[(&[u8; 2], usize)] = &[
    (b"AD", 24), (b"AE", 23), (b"AL", 28), (b"AT", 20), (b"AZ", 28), (b"BA", 20), (b"BE", 16), (b"BG", 22),
    (b"BH", 22), (b"BI", 27), (b"BR", 29), (b"BY", 28), (b"CH", 21), (b"CR", 22), (b"CY", 28), (b"CZ", 24),
    (b"DE", 22), (b"DJ", 27), (b"DK", 18), (b"DO", 28), (b"EE", 20), (b"EG", 29), (b"ES", 24), (b"FI", 18),
    (b"FK", 18), (b"FO", 18), (b"FR", 27), (b"GB", 22), (b"GE", 22), (b"GI", 23), (b"GL", 18), (b"GR", 27),
    (b"GT", 28), (b"HR", 21), (b"HU", 28), (b"IE", 22), (b"IL", 23), (b"IQ", 23), (b"IS", 26), (b"IT", 27),
    (b"JO", 30), (b"KW", 30), (b"KZ", 20), (b"LB", 28), (b"LC", 32), (b"LI", 21), (b"LT", 20), (b"LU", 20),
    (b"LV", 21), (b"LY", 25), (b"MC", 27), (b"MD", 24), (b"ME", 22), (b"MK", 19), (b"MN", 20), (b"MR", 27),
    (b"MT", 31), (b"MU", 30), (b"NI", 28), (b"NL", 18), (b"NO", 15), (b"OM", 23), (b"PK", 24), (b"PL", 28),
    (b"PS", 29), (b"PT", 25), (b"QA", 29), (b"RO", 24), (b"RS", 22), (b"RU", 33), (b"SA", 24), (b"SC", 31),
    (b"SD", 18), (b"SE", 24), (b"SI", 19), (b"SK", 24), (b"SM", 27), (b"SO", 23), (b"ST", 25), (b"SV", 28),
    (b"TL", 23), (b"TN", 24), (b"TR", 26), (b"UA", 29), (b"VA", 22), (b"VG", 24), (b"XK", 20), (b"YE", 30),
];

/// An international account number: the country's length, and modulo 97.
pub(super) fn iban(value: &[u8]) -> bool {
    let known = IBAN_LENGTHS.iter().any(|(country, length)| value.starts_with(*country) && value.len() == *length);
    let rotated = value.iter().skip(4).chain(value.iter().take(4));
    let remainder = rotated.fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte.wrapping_sub(b'A')) + 10) % 97,
    });
    // An account number of zeros is a sample.
    known && remainder == 1 && value.iter().skip(4).any(|byte| *byte != b'0')
}

/// A social security number of the USA: areas, groups and serials that are issued; there is no check digit.
pub(super) fn us_ssn(value: &[u8]) -> bool {
    let part = |from: usize, to: usize| value.get(from..to).and_then(parse_number).unwrap_or_default();
    let (area, group, serial) = (part(0, 3), part(3, 5), part(5, 9));
    let samples: [&[u8]; 4] = [b"078051120", b"219099999", b"123456789", b"457555462"];
    area != 0
        && area != 666
        && area < 900
        && group != 0
        && serial != 0
        && !is_trivial_sequence(value)
        && !samples.contains(&value)
}

/// Weights 7, 3, 1, as on passports and identity cards; letters count from 10.
pub(super) fn mrz_check_sum(value: &[u8]) -> u32 {
    let worth = |byte: &u8| match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'Z' => u32::from(byte - b'A') + 10,
        _ => 0,
    };
    value.iter().map(worth).zip([7, 3, 1].into_iter().cycle()).map(|(worth, weight)| worth * weight).sum::<u32>() % 10
}

/// A German identity card.
pub(super) fn de_id_card(value: &[u8]) -> bool {
    let Some((check, serial)) = value.split_last() else { return false };
    let usual = |byte: &u8| byte.is_ascii_digit() || b"CFGHJKLMNPRTVWXYZ".contains(byte);
    serial.first().is_some_and(|first| b"CFGHJKLMNPRTVWXYZ".contains(first))
        && serial.iter().all(usual)
        && check.is_ascii_digit()
        && mrz_check_sum(serial) == u32::from(check - b'0')
}

/// A German tax id: one digit occurs twice or three times among ten, and ISO 7064 Mod 11, 10.
pub(super) fn de_tax_id(value: &[u8]) -> bool {
    let Some(all) = parse_digits::<11>(value) else { return false };
    let [first, .., check] = all;
    let ten = all.split_last().map(|(_, ten)| ten).unwrap_or_default();
    let mut counts = [0; 10];
    for digit in ten {
        if let Some(count) = counts.get_mut(*digit as usize) {
            *count += 1;
        }
    }
    let many = counts.iter().filter(|count| **count > 1).count();
    let repeats = many == 1 && counts.iter().all(|count| *count <= 3);
    let product = ten.iter().fold(10, |product, digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    first != 0 && repeats && (11 - product) % 10 == check
}

/// A French social security number; Corsica writes a letter in its place.
pub(super) fn fr_nir(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value).replacen("2A", "19", 1);
    let text = if text.bytes().all(|byte| byte.is_ascii_digit()) { text } else { text.replacen("2B", "18", 1) };
    let part = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse::<u64>().ok());
    let (Some(body), Some(key), Some(sex), Some(month)) = (part(0, 13), part(13, 15), part(0, 1), part(3, 5)) else {
        return false;
    };
    matches!(sex, 1..=4 | 7 | 8) && matches!(month, 1..=12 | 20..=42 | 50..=99) && key == 97 - body % 97
}

/// A British national insurance number: letters that are issued; there is no check digit.
pub(super) fn uk_nino(value: &[u8]) -> bool {
    let (Some([first, second]), Some(last)) = (value.first_chunk::<2>(), value.last()) else { return false };
    !b"DFIQUV".contains(first)
        && !b"DFIQUVO".contains(second)
        && ![b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ"].contains(&&[*first, *second])
        && b"ABCD".contains(last)
        && value.get(2..8).is_some_and(|six| six != b"123456" && !six.windows(2).all(|two| two.first() == two.last()))
}

/// A number of the British health service: modulo 11.
pub(super) fn uk_nhs(value: &[u8]) -> bool {
    is_valid(parse_digits::<10>(value).map(|all| {
        let [.., check] = all;
        !is_trivial_sequence(value) && (11 - weighted_sum(&all, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11 == check
    }))
}

const DNI_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// A Spanish identity number, or the one of a foreigner: a check letter, modulo 23.
pub(super) fn es_dni(value: &[u8]) -> bool {
    let Some((letter, body)) = value.split_last() else { return false };
    let head = body.first().and_then(|first| b"XYZ".iter().position(|known| known == first));
    let rest = if head.is_some() { body.get(1..).unwrap_or_default() } else { body };
    let Some(rest) = parse_number(rest) else { return false };
    let whole = rest + head.unwrap_or_default() as u64 * 10_000_000;
    let expected = usize::try_from(whole % 23).ok().and_then(|at| DNI_LETTERS.get(at));
    expected == Some(letter) && body != b"12345678" && rest != 0
}

/// An Italian fiscal code: a check letter by the sum of values that differ at odd and even positions.
pub(super) fn it_fiscal_code(value: &[u8]) -> bool {
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let Some((check, body)) = value.split_last() else { return false };
    let plain = |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte.wrapping_sub(b'A') });
    let odd = |byte: u8| usize::try_from(plain(byte)).ok().and_then(|at| ODD.get(at)).copied().unwrap_or_default();
    let sum: u32 = body.iter().enumerate().map(|(at, byte)| if at % 2 == 0 { odd(*byte) } else { plain(*byte) }).sum();
    let month = body.get(8).is_some_and(|month| b"ABCDEHLMPRST".contains(month));
    month && check.is_ascii_uppercase() && sum % 26 == plain(*check)
}

/// A Dutch citizen's number: the test of eleven.
pub(super) fn nl_bsn(value: &[u8]) -> bool {
    is_valid(parse_digits::<9>(value).map(|all| {
        let [.., check] = all;
        let sum = weighted_sum(&all, &[9, 8, 7, 6, 5, 4, 3, 2]);
        !is_trivial_sequence(value) && sum > 0 && sum % 11 == check
    }))
}

/// A Polish citizen's number: a date of birth, and weights 1, 3, 7, 9.
pub(super) fn pl_pesel(value: &[u8]) -> bool {
    is_valid(parse_digits::<11>(value).map(|all| {
        let [_, _, month, month2, day, day2, .., check] = all;
        let sum = weighted_sum(&all, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
        is_month_day((month * 10 + month2) % 20, day * 10 + day2) && (10 - sum % 10) % 10 == check
    }))
}

/// A Swedish personal number: a date of birth and Luhn over its last ten digits.
pub(super) fn se_personal_number(value: &[u8]) -> bool {
    let ten = value.get(value.len().saturating_sub(10)..).unwrap_or_default();
    is_valid(parse_digits::<10>(ten).map(|all| {
        let [_, _, month, month2, day, day2, ..] = all;
        let day = day * 10 + day2;
        is_month_day(month * 10 + month2, if day > 60 { day - 60 } else { day }) && luhn(ten)
    }))
}

/// A Danish personal number: a date of birth; since 2007 there is no check digit.
pub(super) fn dk_cpr(value: &[u8]) -> bool {
    is_valid(
        parse_digits::<10>(value)
            .map(|[day, day2, month, month2, ..]| is_month_day(month * 10 + month2, day * 10 + day2)),
    )
}

/// A Norwegian birth number: a date of birth and two check digits.
pub(super) fn no_birth_number(value: &[u8]) -> bool {
    is_valid(parse_digits::<11>(value).map(|all| {
        let [day, day2, month, month2, .., first, second] = all;
        let one = (11 - weighted_sum(&all, &[3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11) % 11;
        let two = (11 - weighted_sum(&all, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 11;
        let day = day * 10 + day2;
        is_month_day(month * 10 + month2, if day > 40 { day - 40 } else { day }) && one == first && two == second
    }))
}

/// A Finnish personal identity code: a date of birth, and a check character, modulo 31.
pub(super) fn fi_identity_code(value: &[u8]) -> bool {
    const CHECK_CHARACTERS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    let (Some((check, rest)), Some(date)) = (value.split_last(), value.get(..6)) else { return false };
    let serial = rest.get(rest.len().saturating_sub(3)..).unwrap_or_default();
    let Some(whole) = parse_number(&[date, serial].concat()) else { return false };
    let part = |from: usize| date.get(from..from + 2).and_then(parse_number).and_then(|part| u32::try_from(part).ok());
    let is_day = is_month_day(part(2).unwrap_or_default(), part(0).unwrap_or_default());
    is_day && usize::try_from(whole % 31).ok().and_then(|at| CHECK_CHARACTERS.get(at)) == Some(check)
}

/// A Belgian national number: a date of birth, and 97 less the remainder; for those born since 2000 with a 2 before it.
pub(super) fn be_national_number(value: &[u8]) -> bool {
    let part = |from: usize, to: usize| value.get(from..to).and_then(parse_number);
    let (Some(body), Some(key), Some(month), Some(day)) = (part(0, 9), part(9, 11), part(2, 4), part(4, 6)) else {
        return false;
    };
    let is_day = month <= 12 && day <= 31 && body % 1000 != 0;
    is_day && (key == 97 - body % 97 || key == 97 - (2_000_000_000 + body) % 97)
}

/// A Swiss social security number: the check digit of article numbers.
pub(super) fn ch_ahv(value: &[u8]) -> bool {
    is_valid(parse_digits::<13>(value).map(|all| {
        let [.., check] = all;
        (10 - weighted_sum(&all, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10) % 10 == check
    }))
}

/// Returns the Brazilian check digit of digits.
fn br_check_digit(digits: &[u32], weights: &[u32]) -> u32 {
    match weighted_sum(digits, weights) % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

/// A Brazilian taxpayer: two check digits.
pub(super) fn br_cpf(value: &[u8]) -> bool {
    is_valid(parse_digits::<11>(value).map(|all| {
        let [.., one, two] = all;
        !is_trivial_sequence(value)
            && br_check_digit(&all, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) == one
            && br_check_digit(&all, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) == two
    }))
}

/// A Brazilian company: two check digits.
pub(super) fn br_cnpj(value: &[u8]) -> bool {
    is_valid(parse_digits::<14>(value).map(|all| {
        let [.., one, two] = all;
        !is_trivial_sequence(value)
            && br_check_digit(&all, &[5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) == one
            && br_check_digit(&all, &[6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) == two
    }))
}

/// An Indian resident number: Verhoeff's check, which works in the dihedral group of a pentagon.
pub(super) fn in_aadhaar(value: &[u8]) -> bool {
    const PERMUTATION: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let times = |a: u8, b: u8| match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => (a + b - 5) % 5 + 5,
        (false, true) => (a - 5 + 5 - b) % 5 + 5,
        (false, false) => (a + 5 - b) % 5,
    };
    let total = value.iter().rev().enumerate().fold(0, |total, (at, byte)| {
        let mut digit = byte.wrapping_sub(b'0') % 10;
        for _ in 0..at % 8 {
            digit = PERMUTATION.get(usize::from(digit)).copied().unwrap_or_default();
        }
        times(total, digit)
    });
    value.first().is_some_and(|first| (b'2'..=b'9').contains(first)) && !is_trivial_sequence(value) && total == 0
}

/// An Indian taxpayer: the fourth letter is the type of holder; the rule of the check letter is not public.
pub(super) fn in_pan(value: &[u8]) -> bool {
    value.get(3).is_some_and(|sort| b"PCHABGJLFTE".contains(sort)) && value.get(5..9) != Some(b"0000")
}

/// A Chinese resident: a date of birth, and ISO 7064 Mod 11-2.
pub(super) fn cn_resident(value: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let Some((check, body)) = value.split_last() else { return false };
    let Some(all) = parse_digits::<17>(body) else { return false };
    let part =
        |from: usize, to: usize| body.get(from..to).and_then(parse_number).and_then(|part| u32::try_from(part).ok());
    let is_day = part(6, 10).is_some_and(|year| (1900..2100).contains(&year))
        && is_month_day(part(10, 12).unwrap_or_default(), part(12, 14).unwrap_or_default());
    let expected = usize::try_from(weighted_sum(&all, &WEIGHTS) % 11).ok().and_then(|at| b"10X98765432".get(at));
    is_day && expected == Some(check) && (11..=82).contains(&part(0, 2).unwrap_or_default())
}

/// A Canadian social insurance number: Luhn.
pub(super) fn ca_sin(value: &[u8]) -> bool {
    luhn(value) && !is_trivial_sequence(value) && value.first().is_some_and(|first| !b"08".contains(first))
}

/// An Australian tax file: weights, modulo 11.
pub(super) fn au_tfn(value: &[u8]) -> bool {
    let nine = parse_digits::<9>(value).map(|all| weighted_sum(&all, &[1, 4, 3, 7, 5, 8, 6, 9, 10]));
    is_valid(nine.map(|sum| sum > 0 && sum % 11 == 0 && !is_trivial_sequence(value)))
}

/// An Australian health card: weights, modulo 10; the tenth digit counts cards.
pub(super) fn au_medicare(value: &[u8]) -> bool {
    is_valid(value.first_chunk::<10>().and_then(|ten| parse_digits::<10>(ten)).map(|all| {
        let [first, .., check, issue] = all;
        (2..=6).contains(&first) && issue != 0 && weighted_sum(&all, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10 == check
    }))
}

/// A Turkish citizen: two check digits.
pub(super) fn tr_citizen(value: &[u8]) -> bool {
    is_valid(parse_digits::<11>(value).map(|all| {
        let [first, .., tenth, last] = all;
        let odd = weighted_sum(&all, &[1, 0, 1, 0, 1, 0, 1, 0, 1]);
        let even = weighted_sum(&all, &[0, 1, 0, 1, 0, 1, 0, 1]);
        first != 0 && (odd * 7 + 90 - even) % 10 == tenth && (odd + even + tenth) % 10 == last
    }))
}

/// A South Korean resident: a date of birth, a century, and modulo 11.
pub(super) fn kr_resident(value: &[u8]) -> bool {
    is_valid(parse_digits::<13>(value).map(|all| {
        let [_, _, month, month2, day, day2, century, .., check] = all;
        let sum = weighted_sum(&all, &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
        is_month_day(month * 10 + month2, day * 10 + day2)
            && (1..=8).contains(&century)
            && (11 - sum % 11) % 10 == check
    }))
}

/// A Japanese individual number: weights, modulo 11.
pub(super) fn jp_individual(value: &[u8]) -> bool {
    is_valid(parse_digits::<12>(value).map(|all| {
        let [.., check] = all;
        let expected = match weighted_sum(&all, &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11 {
            0 | 1 => 0,
            rest => 11 - rest,
        };
        expected == check && !is_trivial_sequence(value)
    }))
}

/// An identity number of Singapore: a letter by weights, modulo 11.
pub(super) fn sg_nric(value: &[u8]) -> bool {
    let (Some(first), Some(last)) = (value.first(), value.last()) else { return false };
    let Some(all) = value.get(1..8).and_then(parse_digits::<7>) else { return false };
    let (offset, letters): (u32, &[u8; 11]) = match first {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        b'M' => (3, b"KLJNPQRTUWX"),
        _ => return false,
    };
    let sum = weighted_sum(&all, &[2, 7, 6, 5, 4, 3, 2]) + offset;
    let at = if *first == b'M' { 10 - sum % 11 } else { sum % 11 };
    usize::try_from(at).ok().and_then(|at| letters.get(at)) == Some(last) && value.get(1..8) != Some(b"1234567")
}

/// An identity number of South Africa: a date of birth and Luhn.
pub(super) fn za_identity(value: &[u8]) -> bool {
    is_valid(parse_digits::<13>(value).map(|all| {
        let [_, _, month, month2, day, day2, _, _, _, _, citizen, ..] = all;
        is_month_day(month * 10 + month2, day * 10 + day2) && citizen <= 2 && luhn(value)
    }))
}

/// A Mexican population code: a date of birth, a sex, a state, and a check digit.
pub(super) fn mx_curp(value: &[u8]) -> bool {
    // In the alphabet, Ñ is between N and O.
    let worth = |byte: u8| match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'N' => u32::from(byte - b'A') + 10,
        _ => u32::from(byte.wrapping_sub(b'A')) + 11,
    };
    let Some((check, body)) = value.split_last() else { return false };
    let sum: u32 = body.iter().zip((2..=18).rev()).map(|(byte, weight)| worth(*byte) * weight).sum();
    let part = |from: usize| body.get(from..from + 2).and_then(parse_number).and_then(|part| u32::try_from(part).ok());
    let is_day = is_month_day(part(6).unwrap_or_default(), part(8).unwrap_or_default());
    let sex = body.get(10).is_some_and(|sex| b"HMX".contains(sex));
    is_day && sex && check.is_ascii_digit() && (10 - sum % 10) % 10 == worth(*check)
}

/// A Chilean number: modulo 11, with K for ten.
pub(super) fn cl_rut(value: &[u8]) -> bool {
    let Some((check, body)) = value.split_last() else { return false };
    let weights = [2, 3, 4, 5, 6, 7].into_iter().cycle();
    let sum: u32 =
        body.iter().rev().zip(weights).map(|(byte, weight)| u32::from(byte.wrapping_sub(b'0')) * weight).sum();
    let expected = match 11 - sum % 11 {
        11 => b'0',
        10 => b'K',
        rest => b"0123456789".get(rest as usize).copied().unwrap_or_default(),
    };
    *check == expected && !is_trivial_sequence(body)
}

/// An Argentine taxpayer: a type, and modulo 11.
pub(super) fn ar_cuit(value: &[u8]) -> bool {
    is_valid(parse_digits::<11>(value).map(|all| {
        let [.., check] = all;
        let sort = value.get(..2).and_then(parse_number).unwrap_or_default();
        let rest = (11 - weighted_sum(&all, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 11;
        matches!(sort, 20 | 23 | 24 | 27 | 30 | 33 | 34) && rest == check
    }))
}
