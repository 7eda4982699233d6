/** What a URL of a site answers right now, to Spoor (rules 8.5). */
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import type { RunOperation } from './client.ts'
import { command } from './command.ts'
import { lines, table } from './output.ts'
import { argument } from './parameters.ts'

type AccessCheck = ManagementOutput<'check'>

const parameters = { url: argument('<url>', 'an http or https URL on one of the sites') }

export const checkCommand = command(
  'check',
  'what a URL answers right now: DNS, TLS, robots.txt, redirects, challenges',
  {
    parameters,
    run: async ({ url }, { run }) => run('check', { site: await siteOf(url, run), url }),
    text: (check) =>
      lines(
        `${check.normalized_url}, asked as ${check.agent}`,
        `DNS      ${[check.dns.state, check.dns.code === null ? null : `(${check.dns.code})`, ...check.dns.addresses].filter((part) => part !== null).join(' ')}`,
        `TLS      ${tlsText(check.tls)}`,
        `HTTP     ${httpText(check.http)}`,
        `Challenge ${challengeText(check.challenge)}`,
        robotsText(check.robots),
        organicText(check.organic),
        check.limitations.length === 0 ? null : `Limits: ${check.limitations.join(', ')}`,
      ),
  },
)

/** The site whose root domain the host lies on; of several the longest. */
async function siteOf(url: string, run: RunOperation): Promise<string> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Refusal(
      'invalid_input',
      `${quoted(url)} is not an http or https URL: give one such as https://www.example.com/pricing`,
    )
  }
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

/** What requests that named a crawler got there last: Spoor may be served where they are not. */
function organicText(organic: AccessCheck['organic']): string | null {
  const seen = (organic ?? []).filter(({ last_observed_at }) => last_observed_at !== null)
  if (seen.length === 0) return null
  return table(seen, {
    'CRAWLER IN THE LOGS': 'crawler_id',
    'LAST SEEN': ['last_observed_at', '-'],
    STATUS: (row) => String(row.last_status ?? '-'),
  })
}

function robotsText(robots: AccessCheck['robots']): string {
  if (robots === null) return 'robots.txt was not asked for'
  const { url, fetched_status, per_crawler } = robots
  const decisions = Map.groupBy(per_crawler, ({ decision, line, deviation }) => `${decision} ${line} ${deviation}`)
  const rows = [...decisions.values()].map((crawlers) => {
    const [{ decision, rule, line, deviation }] = crawlers as [(typeof crawlers)[0], ...typeof crawlers]
    return {
      decision,
      by: rule === null ? 'no rule' : `line ${line}: ${rule}`,
      deviation: deviation ?? '',
      crawlers: crawlers.map(({ token, crawler_id }) => token ?? crawler_id).join(' '),
    }
  })
  return lines(
    `${url}: ${fetched_status ?? 'no answer'}`,
    table(rows, { DECISION: 'decision', BY: 'by', DEVIATION: 'deviation', CRAWLERS: 'crawlers' }),
  )
}
