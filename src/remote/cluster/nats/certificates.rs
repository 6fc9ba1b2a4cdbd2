//! Explains what is wrong with a server's certificate and what to do about it, instead of showing the TLS library's
//! message.

use hasami_words::text::counted;

/// Errors for a certificate from an unknown issuer. The last two occur if a trusted issuer has the same name as the
/// unknown issuer.
const UNTRUSTED: [&str; 3] = ["UnknownIssuer", "BadSignature", "UnsupportedSignatureAlgorithmForPublicKey"];

/// Explains a TLS error to the user. Returns `None` for an unknown error.
pub(super) fn explanation(why: &str) -> Option<String> {
    let has = |words: &str| why.contains(words);
    let seconds = || why.rsplit_once('(').and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
    let days = || match seconds().map(|seconds| seconds / 86_400) {
        None => "some time".to_owned(),
        Some(0) => "less than a day".to_owned(),
        Some(days) => counted(days, "day"),
    };
    Some(if has("InvalidContentType") {
        "a server that does not speak TLS; connect to nats://, or turn TLS on there".to_owned()
    } else if UNTRUSTED.iter().any(|words| has(words)) {
        "a certificate of an authority that is not trusted here; name the authority's own with --tls-ca (tls_ca)"
            .to_owned()
    } else if has("CaUsedAsEndEntity") {
        "a certificate of an authority, which a server cannot show; make one for the server, with basicConstraints=CA:FALSE".to_owned()
    } else if has("expired") {
        format!("a certificate that ended {} ago; renew it on the server, or set this machine's clock", days())
    } else if has("not valid yet") {
        format!("a certificate that begins in {}; set this machine's clock, or the server's", days())
    } else if has("not valid for name") {
        for_others(why)?
    } else if has("extended key usage") {
        "a certificate that is not for servers; make one with extendedKeyUsage=serverAuth".to_owned()
    } else if has("UnsupportedCertVersion") {
        "a certificate of X.509 version 1; make one of version 3, with a subjectAltName".to_owned()
    } else {
        return None;
    })
}

/// Parses `... not valid for name "localhost"; certificate is only valid for DnsName("a.example") or
/// IpAddress(10.0.0.5)`.
fn for_others(why: &str) -> Option<String> {
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
        format!("a certificate without a name; make one with {entry}")
    } else {
        format!(
            "a certificate for {}, not for {wanted}; connect by a name that it has, or make one with {entry}",
            names.join(", ")
        )
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
            let text = explanation(why).unwrap().to_string();
            assert!(text.contains(expected) && !text.contains("  "), "{text}");
        }
        assert_eq!(explanation("Connection refused (os error 111)"), None);
        assert_eq!(explanation("invalid peer certificate: BadEncoding"), None);
    }
}
