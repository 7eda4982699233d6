/** The limitations of a check (rules 8.5). */
const WORDS: Readonly<Record<string, string>> = {
  asked_as_spoor_only: 'Only this service made requests: other user agents may get other responses.',
  certificate_revocation_not_checked: 'A revoked certificate looks valid.',
  tls_of_last_https_host_only: 'The certificate is that of the last https host of the redirects.',
  robots_refused_to_spoor: 'robots.txt was refused to this service, so what crawlers get is not known.',
  robots_is_challenge_page: 'A challenge page came instead of robots.txt, so what crawlers get is not known.',
  robots_not_asked: 'robots.txt redirects to an address that this service does not request.',
  robots_unreadable: 'robots.txt came in a form that this service cannot read, so what crawlers get is not known.',
  robots_read_up_to_500_kib: 'robots.txt was read up to 500 KiB.',
  robots_too_complex: 'robots.txt took too long to evaluate, so only a part of it was used.',
  final_page_on_another_site_not_read: 'The page redirects to another site, which was not read.',
  body_read_up_to_2_mib: 'The page was read up to 2 MiB.',
  query_not_in_organic: 'Observed requests are stored by path: they may have had another query string.',
  path_redacted_in_organic:
    'Parts of this path are not stored: the observed requests may be for other pages whose paths differ in these parts.',
}

/** A code without words here is shown as it is. */
export const checkLimitationWords = (code: string): string => WORDS[code] ?? code
