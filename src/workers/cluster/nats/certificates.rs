//! Explains what is wrong with a server's certificate and what to do, instead of the library's message.

use hasami_words::{Message, Part};

/// Shown instead of a number of days.
const UNKNOWN: &str = "unknown";

/// Errors of a certificate from an unknown issuer. The second and third occur if a known issuer has the same name.
const UNTRUSTED: [&str; 3] = ["UnknownIssuer", "BadSignature", "UnsupportedSignatureAlgorithmForPublicKey"];

/// An explanation for the user; `None` if the error has another cause.
pub(super) fn told(why: &str) -> Option<Message> {
    let has = |words: &str| why.contains(words);
    let seconds = || why.rsplit_once('(').and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
    let days =
        || Message::new("some-days").with("days", seconds().map_or(UNKNOWN.into(), |time| Part::from(time / 86_400)));
    Some(if has("InvalidContentType") {
        Message::new("server-without-tls")
    } else if UNTRUSTED.iter().any(|words| has(words)) {
        Message::new("certificate-untrusted")
    } else if has("CaUsedAsEndEntity") {
        Message::new("certificate-of-authority")
    } else if has("expired") {
        Message::new("certificate-ended").with("days", days())
    } else if has("not valid yet") {
        Message::new("certificate-begins").with("days", days())
    } else if has("not valid for name") {
        for_others(why)?
    } else if has("extended key usage") {
        Message::new("certificate-not-for-servers")
    } else if has("UnsupportedCertVersion") {
        Message::new("certificate-of-version-1")
    } else {
        return None;
    })
}

/// Parses `... not valid for name "localhost"; certificate is only valid for DnsName("a.example") or
/// IpAddress(10.0.0.5)`.
fn for_others(why: &str) -> Option<Message> {
    let mut quoted = why.split('"');
    let wanted = quoted.nth(1)?;
    let is_number = wanted.parse::<std::net::IpAddr>().is_ok();
    let entry = format!("subjectAltName={}:{wanted}", if is_number { "IP" } else { "DNS" });
    let names = |kind: &str| -> Vec<String> {
        let found = why.split(kind).skip(1).filter_map(|rest| rest.split(')').next());
        found.map(|name| name.trim_matches('"').to_owned()).collect()
    };
    let names = [names("DnsName("), names("IpAddress(")].concat();
    Some(if names.is_empty() {
        Message::new("certificate-without-name").with("entry", entry)
    } else {
        let found = Message::new("certificate-for-others").with("names", names.join(", ")).with("wanted", wanted);
        found.with("entry", entry)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_certificates_are_explained_with_a_remedy() {
        let expired = "invalid peer certificate: certificate expired: verification time 1795690028 (UNIX), but certificate \
                       is not valid after 1580515200 (215174828 seconds ago)";
        let early = "invalid peer certificate: certificate not valid yet: verification time 1795690028 (UNIX), but \
                     certificate is not valid before 1795690128 (100 seconds in future)";
        let name =
            "invalid peer certificate: certificate not valid for name \"localhost\"; certificate is only valid for ";
        let names = format!("{name}DnsName(\"pc9.example\") or IpAddress(10.0.0.5)");
        let nameless = "invalid peer certificate: certificate not valid for name \"10.0.0.7\"; certificate is not valid for \
                        any names (according to its subjectAltName extension)";
        for (why, expected) in [
            ("invalid peer certificate: UnknownIssuer", "--tls-ca"),
            ("invalid peer certificate: BadSignature", "--tls-ca"),
            ("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", "basicConstraints=CA:FALSE"),
            (expired, "a certificate that ended 2490 days ago; renew it"),
            (early, "a certificate that begins in less than a day; set this machine's clock"),
            (&names, "a certificate for pc9.example, 10.0.0.5, not for localhost; connect by a name that it has"),
            (nameless, "a certificate without a name; make one with subjectAltName=IP:10.0.0.7"),
            ("received corrupt message of type InvalidContentType", "does not speak TLS"),
            ("certificate does not allow extended key usage for server authentication", "serverAuth"),
            ("invalid peer certificate: Other(OtherError(UnsupportedCertVersion))", "version 3"),
        ] {
            let text = told(why).unwrap().to_string();
            assert!(text.contains(expected) && !text.contains("  "), "{text}");
        }
        assert_eq!(told("Connection refused (os error 111)"), None);
        assert_eq!(told("invalid peer certificate: BadEncoding"), None);
    }
}
