/** What a check leaves open (rules 8.5). */
const WORDS: Readonly<Record<string, string>> = {
  asked_as_spoor_only: 'Only this service asked: other agents may be answered otherwise.',
  certificate_revocation_not_checked: 'A revoked certificate looks valid.',
  tls_of_last_https_host_only: 'The certificate is that of the last https host on the way.',
  robots_refused_to_spoor: 'robots.txt was refused to this service, so what crawlers get is not known.',
  robots_is_challenge_page: 'A challenge was answered in place of robots.txt, so what crawlers get is not known.',
  robots_not_asked: 'robots.txt leads to where this service does not go.',
  robots_unreadable: 'robots.txt came in a form that this service cannot read, so what crawlers get is not known.',
  robots_read_up_to_500_kib: 'robots.txt was read up to 500 KiB.',
  robots_too_complex: 'robots.txt took too long to evaluate, so not all of it was used.',
  final_page_on_another_site_not_read: 'The page leads to another site, which was not read.',
  body_read_up_to_2_mib: 'The page was read up to 2 MiB.',
  query_not_in_organic: 'Observed requests are known by path: they may have had another query.',
}

/** A code that is not known here is shown as it came. */
export const limitationWords = (code: string): string => WORDS[code] ?? code
