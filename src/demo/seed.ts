/** A believable crawler history, the same for the same seed: an access log of the last days up to now. */
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { history } from './history.ts'
import { sequence } from './sequence.ts'

export interface Seed {
  /** Epoch milliseconds; nothing is later. */
  now: number
  /** Whole days before today. */
  days: number
  seed: number
}

/** Requests on an ordinary weekday, by crawler. */
const CRAWLERS: readonly (readonly [crawler_id: string, a_day: number])[] = [
  ['googlebot', 60],
  ['gptbot', 40],
  ['oai-searchbot', 35],
  ['bingbot', 30],
  ['claudebot', 25],
  ['chatgpt-user', 20],
  ['perplexitybot', 12],
  ['applebot', 8],
  ['ccbot', 4],
]

const PATHS = [
  '/',
  '/pricing',
  '/docs',
  '/docs/getting-started',
  '/docs/api',
  '/blog',
  '/blog/how-crawlers-read-pages',
  '/blog/a-year-of-logs',
  '/changelog',
  '/about',
]

/** Automated agents that no registry knows: requests on an ordinary weekday. */
const UNREGISTERED: readonly (readonly [agent: string, a_day: number])[] = [
  ['ExampleMonitor/2.1 (+https://monitor.example/bot; ops@monitor.example)', 6],
  ['python-requests/2.32.3', 2],
]

/** One day in eleven is unobserved; the pricing page answers 403 to one crawler in the second half. */
export function seedHistory({ now, days, seed }: Seed): string {
  const random = sequence(seed)
  const log = history()
  for (let back = days; back >= 1; back--) {
    const at = now - back * DAY_MS
    if (back % 11 === 0) continue
    log.on(utcDay(at)).humans()
    const weekday = new Date(at).getUTCDay()
    const weight = weekday === 0 || weekday === 6 ? 0.6 : 1
    for (const [crawlerId, aDay] of CRAWLERS) {
      log.crawler(crawlerId).requests(1, { path: '/robots.txt', from: hour(random) })
      const requests = Math.round(aDay * weight * (0.7 + 0.6 * random()))
      for (let index = 0; index < requests; index++) {
        const path = PATHS[Math.floor(PATHS.length * random() ** 2)] as string
        log.requests(1, { path, status: statusOf(crawlerId, path, back < days / 2, random), from: hour(random) })
      }
    }
    for (const [agent, aDay] of UNREGISTERED) {
      log.agent(agent).requests(Math.round(aDay * weight), { path: '/', from: hour(random) })
    }
  }
  return log.text()
}

function statusOf(crawlerId: string, path: string, late: boolean, random: () => number): number {
  if (crawlerId === 'claudebot' && path === '/pricing' && late) return 403
  const draw = random()
  if (draw < 0.02) return 404
  if (draw < 0.03) return 503
  return draw < 0.08 ? 304 : 200
}

function hour(random: () => number): string {
  return `${String(Math.floor(random() * 24)).padStart(2, '0')}:${String(Math.floor(random() * 60)).padStart(2, '0')}`
}
