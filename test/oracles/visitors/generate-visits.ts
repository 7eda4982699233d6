/** Random visits: what browsers and servers send on one day. */
import { type BrowserRequest, DAY, HOUR, type Instant, MINUTE, SECOND, type SentEvent, type Step } from './history.ts'
import type { Random } from './random.ts'

/** Links that lead to the site, by what they say about themselves. */
const LANDINGS: readonly { referrer?: string; query?: string }[] = [
  {},
  {},
  { referrer: 'https://chatgpt.com/' },
  { referrer: 'https://www.perplexity.ai/search/abc' },
  { referrer: 'https://gemini.google.com/app' },
  { referrer: 'https://claude.ai/' },
  { referrer: 'https://copilot.microsoft.com/' },
  { query: 'utm_source=chatgpt.com' },
  { referrer: 'https://chatgpt.com/', query: 'utm_source=chatgpt.com' },
  { referrer: 'https://www.google.com/' },
  { referrer: 'https://duckduckgo.com/' },
  { referrer: 'https://www.bing.com/', query: 'msclkid=8f1' },
  { referrer: 'https://www.google.com/', query: 'gclid=Cj0KCQ' },
  { referrer: 'https://yandex.ru/search/', query: 'ysclid=lx3' },
  { referrer: 'https://www.google.com/', query: 'srsltid=AfmB' },
  { referrer: 'https://l.facebook.com/' },
  { referrer: 'https://t.co/abc' },
  { referrer: 'https://blog.example.net/2026/a-post' },
  { referrer: 'https://blog.example.net/', query: 'utm_campaign=spring&utm_content=footer' },
  { query: 'utm_source=google&utm_medium=cpc&utm_campaign=spring&utm_term=crawler%20logs' },
  { query: 'utm_source=partner&utm_medium=PaidSocial' },
  { query: 'utm_source=weekly&utm_medium=email&utm_campaign=Spring%20Sale' },
  { referrer: 'https://chatgpt.com/', query: 'utm_medium=email' },
  { query: 'utm_source=partner' },
  { query: `utm_campaign=${'long'.repeat(20)}` },
]

/** Ways through the site; the first one is common enough to be shown as a journey. */
const WAYS: readonly (readonly string[])[] = [
  ['/', '/pricing', '/pricing', '+signup', '/thanks'],
  ['/', '/pricing'],
  ['/'],
  ['/', '/docs/start', '/docs/start', '/pricing', '+signup', '+download'],
  ['/pricing', '+signup', '+sale', '/thanks'],
  ['/docs/%7Euser', '/users/ann@example.com/edit'],
  ['+download'],
  ['/', '/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h', '/i', '/j', '/k'],
]

export interface VisitOptions {
  random: Random
  domain: string
  newestKeyAt(at: Instant): number
  /** The key that pages carry at an instant: for a while some carry the old one. */
  keyAt(at: Instant): number
  ids: { next: number }
}

export const newId = ({ ids }: VisitOptions): string => idOf(ids.next++)
const idOf = (number: number): string => `event-${String(number).padStart(10, '0')}`

/** All requests of the browsers of a day. */
export function visitsOf(day: Instant, count: number, options: VisitOptions): Step[] {
  const steps: Step[] = []
  for (let made = 0; made < count; made++) {
    const begins = options.random.chance(0.15)
      ? day + DAY - options.random.int(5, 40) * MINUTE
      : day + options.random.int(0, 23 * 60) * MINUTE
    steps.push(...visit(begins + options.random.int(0, 59_999), options))
  }
  return steps
}

function visit(begins: Instant, options: VisitOptions): BrowserRequest[] {
  const { random, domain } = options
  const visitor = random.int(1, 30)
  const host = random.chance(0.8) ? domain : random.pick([`www.${domain}`, `docs.${domain}`])
  const way = random.chance(0.45) ? (WAYS[0] ?? []) : random.pick(WAYS)
  const landing = random.pick(LANDINGS)
  const is_bot = random.chance(0.05)
  const opts_out = random.chance(0.05) ? random.pick(['sec-gpc', 'dnt'] as const) : undefined
  const requests: BrowserRequest[] = []
  let at = begins
  let page = `https://${host}/`
  let is_first = true
  for (const step of way) {
    const event = step.startsWith('/')
      ? pageview(`https://${host}${step}`, is_first ? landing : { referrer: page }, options)
      : namedEvent(step.slice(1), page, options)
    if (event.type === 'pageview') {
      is_first = false
      page = `https://${host}${step}`
    }
    const last = requests.at(-1)
    // Some travel together, some in requests of their own at the same millisecond.
    if (last !== undefined && random.chance(0.2)) {
      last.events.push(event)
      continue
    }
    if (last !== undefined && !random.chance(0.04)) at += pause(random)
    requests.push({
      at,
      do: 'browser',
      visitor,
      key: options.keyAt(at),
      events: [event],
      ...(is_bot ? { is_bot } : {}),
      ...(opts_out === undefined ? {} : { opts_out }),
    })
  }
  return requests
}

/** Mostly short, sometimes as long as a session may be silent, or longer. */
function pause(random: Random): number {
  if (random.chance(0.06)) return 30 * MINUTE + random.pick([-1, 0, 1]) * SECOND
  if (random.chance(0.05)) return random.int(20, 90) * MINUTE
  return random.int(800, 240_000)
}

function pageview(url: string, landing: { referrer?: string; query?: string }, options: VisitOptions): SentEvent {
  return {
    type: 'pageview',
    id: newId(options),
    url: landing.query === undefined ? url : `${url}?${landing.query}`,
    ...(landing.referrer === undefined ? {} : { referrer: landing.referrer }),
  }
}

function namedEvent(name: string, url: string, options: VisitOptions): SentEvent {
  const { random } = options
  const id = newId(options)
  if (name === 'sale') {
    return { type: 'revenue', id, url, revenue: { ...money(random), ...order(random) } }
  }
  if (name !== 'signup') return { type: 'event', id, url, name }
  const props = random.pick([
    {},
    { plan: 'pro' },
    { plan: 'free' },
    { plan: 'pro', seats: random.int(1, 9) },
    { seats: random.int(1, 9), yearly: random.chance(0.5) },
  ])
  return { type: 'event', id, url, name, props }
}

/** Few of each, so that orders agree or not. */
const money = (random: Random) => ({
  amount_minor: random.pick([1999, 1999, 1999, 4900]),
  currency: random.pick(['EUR', 'EUR', 'EUR', 'USD', 'JPY']),
})
const order = (random: Random) => (random.chance(0.8) ? { order_id: `A-${random.int(1, 12)}` } : {})

/** What the customer's server reports on a day: sales, refunds, events. */
export function reportsOf(day: Instant, count: number, options: VisitOptions): Step[] {
  const { random, domain } = options
  return Array.from({ length: count }, (): Step => {
    const at = day + random.int(0, DAY - 1)
    const kind = random.pick(['sale', 'sale', 'sale', 'refund', 'event'] as const)
    // Now and then the id of a browser's event: servers have ids of their own.
    const id = random.chance(0.1) ? idOf(options.ids.next - random.int(1, 5)) : newId(options)
    if (kind === 'event')
      return { at, do: 'server', events: [{ type: 'event', id, url: null, name: 'signup', props: { plan: 'pro' } }] }
    const order_id = kind === 'refund' ? { order_id: `A-${random.int(1, 12)}` } : order(random)
    const url = random.chance(0.5) ? `https://${domain}/thanks` : null
    return {
      at,
      do: 'server',
      events: [{ type: 'revenue', id, url, revenue: { ...money(random), ...order_id, kind } }],
    }
  })
}

/** Events that pages of the site send and that a declaration refuses, from this many visitors. */
export function refusedOf(day: Instant, visitors: number, options: VisitOptions): Step[] {
  const { random, domain } = options
  const wrong = random.pick([
    { type: 'event', name: 'signup', props: { colour: 'red' } },
    { type: 'event', name: 'signup', props: { plan: 'gold' } },
    { type: 'event', name: 'signup', props: { seats: '3' } },
    { type: 'event', name: 'download', props: { size: 3 } },
    { type: 'event', name: 'mystery', props: { size: 3 } },
    { type: 'pageview', props: { plan: 'pro' } },
  ] as const)
  return Array.from({ length: visitors }, (_, index): Step => {
    const at = day + random.int(1, 23) * HOUR + index * SECOND
    const event = { ...wrong, id: newId(options), url: `https://${domain}/pricing` }
    return { at, do: 'browser', visitor: 100 + index, key: options.keyAt(at), events: [event] }
  })
}
