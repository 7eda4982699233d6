/** `check`: how a URL of a site answers Spoor right now (rules 8.5). */

import type { ManagementOutput } from '#contract/management-api/index.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { command } from '../command.ts'
import type { RunOperation } from '../folder/client.ts'
import { argument } from '../input/parameters.ts'
import { readWebUrl } from '../input/value-forms.ts'
import { lines, table } from '../output.ts'

type AccessCheck = ManagementOutput<'check'>

/** How many crawlers with the same decision by the same line of robots.txt are named; --json has all. */
const MAX_CRAWLERS_SHOWN = 8

/** What the codes of a check mean (rules 8.5); a code without words here is shown as it is. */
const LIMITATIONS: Readonly<Record<string, string>> = {
  asked_as_spoor_only: 'other user agents may get other answers',
  certificate_revocation_not_checked: 'a revoked certificate looks valid',
  tls_of_last_https_host_only: 'the certificate of the last host only, after redirects',
  robots_refused_to_spoor: 'robots.txt was refused to Spoor, so what crawlers get is not known',
  robots_is_challenge_page: 'a challenge page came instead of robots.txt, so what crawlers get is not known',
  robots_not_asked: 'robots.txt redirects to an address that Spoor does not request',
  robots_unreadable: 'robots.txt came in a form that Spoor cannot read, so what crawlers get is not known',
  robots_read_up_to_500_kib: 'only the first 500 KiB of robots.txt were read',
  robots_too_complex: 'robots.txt was too complex to be decided in full',
  final_page_on_another_site_not_read: 'redirects led to another site, whose page was not read',
  body_read_up_to_2_mib: 'only the first 2 MiB of the page were read',
  query_not_in_organic:
    'requests of crawlers are stored without query strings, so what they got is shown for the path alone',
}

const parameters = { url: argument('<url>', 'an http or https URL on one of the sites', readWebUrl) }

export const checkCommand = command(
  'check',
  'what a URL answers right now: DNS, TLS, robots.txt, redirects, challenges',
  {
    parameters,
    run: async ({ url }, { run }) => run('check', { site: await siteOf(url, run), url }),
    text: (check) =>
      lines(
        `${check.normalized_url}, requested as ${check.agent}`,
        `DNS      ${[check.dns.state, check.dns.code === null ? null : `(${check.dns.code})`, ...check.dns.addresses].filter((part) => part !== null).join(' ')}`,
        `TLS      ${tlsText(check.tls)}`,
        `HTTP     ${httpText(check.http)}`,
        `Challenge ${challengeText(check.challenge)}`,
        robotsText(check.robots),
        organicText(check.organic),
        ...check.limitations.map((code) => `Limit: ${LIMITATIONS[code] ?? code}`),
      ),
  },
)

/** The site whose root domain contains the host; the longest one if there are several. */
async function siteOf(url: string, run: RunOperation): Promise<string> {
  const host = new URL(url).hostname.replace(/\.$/, '')
  const { sites } = await run('site.list', {})
  const [found] = sites
    .map(({ root_domain }) => root_domain)
    .filter((domain) => host === domain || host.endsWith(`.${domain}`))
    .sort((a, b) => b.length - a.length)
  if (found !== undefined) return found
  throw new Refusal('site_not_found', `${quoted(url)} is on none of the sites: spoor site list shows them`)
}

function tlsText(tls: AccessCheck['tls']): string {
  if (tls === null) return 'none was tried'
  const { state, code, protocol, issuer, expires_at } = tls
  return [state, code, protocol, issuer, expires_at === null ? null : `until ${expires_at.slice(0, 10)}`]
    .filter((part) => part !== null)
    .join(', ')
}

function httpText(http: AccessCheck['http']): string {
  if (http === null) return 'not asked'
  const hops = http.hops.map(({ url, status, ms }) => `\n  ${status} ${url} (${ms} ms)`)
  return `${http.state}${hops.join('')}`
}

function challengeText(challenge: AccessCheck['challenge']): string {
  if (challenge === null) return 'not known'
  return [challenge.state.replace('_', ' '), challenge.vendor, ...challenge.signals]
    .filter((part) => part !== null)
    .join(' ')
}

/** The latest responses to requests that named a crawler, because Spoor may be served when they are refused. */
function organicText(organic: AccessCheck['organic']): string | null {
  if (organic === null) return 'What crawlers got there last is not known: no source covers it.'
  const seen = organic.filter(({ last_observed_at }) => last_observed_at !== null)
  if (seen.length === 0) return null
  return table(seen, {
    'CRAWLER IN THE LOGS': 'crawler_id',
    'LAST SEEN': ['last_observed_at', '-'],
    STATUS: (row) => String(row.last_status ?? '-'),
  })
}

function robotsText(robots: AccessCheck['robots']): string {
  if (robots === null) return 'robots.txt was not requested'
  const { url, fetched_status, per_crawler } = robots
  const decisions = Map.groupBy(per_crawler, ({ decision, line, deviation }) => `${decision} ${line} ${deviation}`)
  const rows = [...decisions.values()].map((crawlers) => {
    const [{ decision, rule, line, deviation }] = crawlers as [(typeof crawlers)[0], ...typeof crawlers]
    return {
      decision,
      by: rule === null ? 'no rule' : `line ${line}: ${rule}`,
      deviation: deviation ?? '',
      crawlers: crawlersText(crawlers.map(({ token, crawler_id }) => token ?? crawler_id)),
    }
  })
  return lines(
    `${url}: ${fetched_status ?? 'no answer'}`,
    table(rows, { DECISION: 'decision', BY: 'by', DEVIATION: 'deviation', CRAWLERS: 'crawlers' }),
  )
}

/** Tokens may contain a space, so commas separate them. */
function crawlersText(names: readonly string[]): string {
  const more = names.length - MAX_CRAWLERS_SHOWN
  return more <= 1 ? names.join(', ') : `${names.slice(0, MAX_CRAWLERS_SHOWN).join(', ')} and ${more} more`
}
