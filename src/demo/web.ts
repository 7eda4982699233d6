/**
 * The servers that a seeded site and its owner have: they answer in this process, through the safe fetch, so that no
 * request about them leaves the machine.
 */
import type { Clock } from '#clock.ts'
import { DAY_MS } from '#clock.ts'
import { readNetwork } from '#networks.ts'
import { type Exchanged, exchange } from '#outgoing/exchange.ts'
import { failed } from '#outgoing/refused.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { Seed } from './seed.ts'
import { failureAt, HELP_HOST, instantOfStory, type Response, SITE, storiesOf } from './stories.ts'

/** Receivers of the owner's alerts: one takes everything, the other was given up. */
export const CHAT_HOOK = `https://chat.${SITE}/hooks/spoor`
export const PAGER_HOOK = `https://pager.${SITE}/hooks/spoor`
/** The site that shows an inspection that the outside is reached, when a host of the demo is not. */
const CONTROL_HOST = 'www.iana.org'

/** The pager is switched off on this day. */
const PAGER_ENDS = { back: 4, hour: 0 }
const CERTIFICATE_ENDS = { back: 1, hour: 0 }

/** Reserved for documentation (RFC 5737). */
const ADDRESS = '203.0.113.10'
const NETWORK = readNetwork('203.0.113.0/24') as NonNullable<ReturnType<typeof readNetwork>>

const ROBOTS = 'User-agent: *\nDisallow: /cart/\n\nUser-agent: Bytespider\nDisallow: /\n'
const html = { 'content-type': 'text/html; charset=utf-8' }

/** The same safe fetch, in which the demo's hosts are answered here and all others as before. */
export function answerDemoHosts(outgoing: SafeFetchContext, seed: Seed, clock: Pick<Clock, 'now'>): SafeFetchContext {
  return {
    ...outgoing,
    allow_networks: [...outgoing.allow_networks, NETWORK],
    resolve: async (name, signal) => (isDemoHost(name) ? [ADDRESS] : outgoing.resolve(name, signal)),
    async exchange(to, asked, signal, observer) {
      const { url } = to
      if (!isDemoHost(url.hostname)) return exchange(to, asked, signal, observer)
      const at = clock.now()
      const expires_at = certificateEnd(url.hostname, seed, at)
      if (url.protocol === 'https:') {
        const isValid = expires_at > at
        const code = isValid ? null : 'CERT_HAS_EXPIRED'
        const state = isValid ? ('valid' as const) : ('invalid' as const)
        observer.secured({ state, code, protocol: 'TLSv1.3', issuer: 'Example CA', expires_at, names_match: true })
        if (!isValid) throw failed('tls', `${url.host} has no valid TLS certificate (CERT_HAS_EXPIRED).`, code)
      }
      const response = answer(url, seed, at)
      const { status, headers = {}, body = '' } = response
      const header_lines = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
      const head = { status, headers, header_lines }
      observer.answered(head)
      const isRead = asked.method !== 'HEAD' && asked.max_bytes !== null
      return { ...head, body: Buffer.from(isRead ? body : ''), is_truncated: false } satisfies Exchanged
    },
  }
}

const isDemoHost = (name: string) => name === SITE || name.endsWith(`.${SITE}`) || name === CONTROL_HOST

function certificateEnd(host: string, seed: Seed, at: number): number {
  return host === HELP_HOST ? instantOfStory(seed.now, CERTIFICATE_ENDS) : at + 60 * DAY_MS
}

function answer(url: URL, { now, days }: Seed, at: number): Response {
  if (url.protocol === 'http:') return { status: 301, headers: { location: `https://${url.host}${url.pathname}` } }
  if (url.href === CHAT_HOOK) return { status: 204 }
  if (url.href === PAGER_HOOK) return { status: at < instantOfStory(now, PAGER_ENDS) ? 204 : 410 }
  if (url.pathname === '/robots.txt') return { status: 200, headers: { 'content-type': 'text/plain' }, body: ROBOTS }
  if (url.pathname === '/llms.txt') return { status: 404, headers: html }
  const story = storiesOf(days).find(({ path }) => url.hostname === SITE && path === url.pathname)
  const title = url.pathname === '/' ? url.hostname : url.pathname.slice(1)
  const page = `<!doctype html><title>${title}</title><meta name="robots" content="max-snippet:160"><h1>${title}</h1>`
  return (story && failureAt(story, now, at)) ?? { status: 200, headers: html, body: page }
}
