/** A believable history of visitors, the same for the same seed: origins, pages read, sign-ups and payments. */
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import type { Seed } from './seed.ts'
import { sequence, weighted } from './sequence.ts'
import { type TrackedEvent, type Visits, visits } from './visits.ts'

/** Where visits come from: a referrer, a query on the first page, and how often. `ai` ones double over the history. */
interface Origin {
  referrer?: string
  query?: string
  weight: number
  ai?: true
}

const ORIGINS: readonly Origin[] = [
  { weight: 30 },
  { referrer: 'https://www.google.com/', weight: 28 },
  {
    referrer: 'https://www.google.com/',
    query: '?utm_source=google&utm_medium=cpc&utm_campaign=logs&gclid=x1',
    weight: 4,
  },
  { query: '?utm_source=newsletter&utm_medium=email&utm_campaign=monthly', weight: 9 },
  { referrer: 'https://github.com/', weight: 5 },
  { referrer: 'https://www.reddit.com/', weight: 4 },
  { referrer: 'https://chatgpt.com/', query: '?utm_source=chatgpt.com', weight: 4, ai: true },
  { referrer: 'https://www.perplexity.ai/', weight: 2, ai: true },
  { referrer: 'https://claude.ai/', weight: 1.5, ai: true },
  { referrer: 'https://gemini.google.com/', weight: 1, ai: true },
  { referrer: 'https://copilot.microsoft.com/', weight: 1, ai: true },
]

const FIRST_PAGES = [
  ['/', 30],
  ['/blog/how-crawlers-read-pages', 18],
  ['/docs', 14],
  ['/docs/getting-started', 12],
  ['/pricing', 10],
  ['/blog/a-year-of-logs', 9],
  ['/changelog', 4],
  ['/about', 3],
] as const

/** Where readers go next; `null`: they leave. */
const NEXT_PAGES = [
  [null, 42],
  ['/pricing', 16],
  ['/docs', 13],
  ['/docs/getting-started', 10],
  ['/', 7],
  ['/blog', 6],
  ['/docs/api', 6],
] as const

const PLANS = [
  ['free', 60],
  ['pro', 30],
  ['team', 10],
] as const
/** Minor units of euros a month. */
const PRICES = { pro: 1_900, team: 9_900 } as const
const SIGN_UPS = 0.12
const REFUNDS = 0.06
/** Blocked in the browser, or forgotten by the customer's server: not every order is reported twice. */
const PAGE_REPORTS = 0.95
const SERVER_TELLS = 0.97
const MAX_PAGES = 8
const VISITORS = 600
const WEEKDAY_VISITS = 42
/** Visits fall between six in the morning and eleven at night, most of them in the middle. */
const FIRST_MINUTE = 360
const MINUTES = 1_020
const DAY_AS_MINUTES = 1_440

/** Events of made-up visitors, oldest first. */
export function seedVisits(domain: string, { now, days, seed }: Seed): TrackedEvent[] {
  const random = sequence(seed + 1)
  const history = visits(domain)
  for (let back = days; back >= 0; back--) {
    const at = now - back * DAY_MS
    const weekday = new Date(at).getUTCDay()
    const weight = weekday === 0 || weekday === 6 ? 0.55 : 1
    const count = Math.round(WEEKDAY_VISITS * weight * (0.8 + 0.4 * random()))
    history.on(utcDay(at))
    for (let index = 0; index < count; index++) visit(history, random, 1 + (days - back) / Math.max(1, days))
  }
  return history.events().filter((event) => event.at <= now)
}

/** One visit; `aiGrowth` weighs the origins that are AI answers. */
function visit(history: Visits, random: () => number, aiGrowth: number): void {
  const origin = weighted(
    ORIGINS.map((each) => [each, each.ai ? each.weight * aiGrowth : each.weight] as const),
    random(),
  )
  const minute = Math.floor(FIRST_MINUTE + (MINUTES * (random() + random())) / 2)
  const at = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  history.visitor(Math.floor(VISITORS * random()), at, origin.referrer)
  const first = weighted(FIRST_PAGES, random())
  history.opens(`${first}${origin.query ?? ''}`)
  let page: string | null = first
  for (let pages = 1; page !== null && pages < MAX_PAGES; pages++) {
    if (page === '/pricing' && random() < SIGN_UPS * (origin.ai ? 1.6 : 1)) {
      signUp(history, random)
      return
    }
    history.after(0.3 + 3 * random())
    page = weighted(NEXT_PAGES, random())
    if (page !== null) history.opens(page)
  }
}

function signUp(history: Visits, random: () => number): void {
  const plan = weighted(PLANS, random())
  history
    .after(0.5 + random())
    .opens('/signup')
    .after(1)
    .does('signup', { plan })
  if (plan === 'free') {
    history.after(0.1).opens('/welcome')
    return
  }
  const order = { amount_minor: PRICES[plan], currency: 'EUR', order_id: `A-${Math.floor(1e9 * random())}` }
  history.after(1).opens('/welcome')
  if (random() < PAGE_REPORTS) history.pays(order)
  if (random() >= SERVER_TELLS) return
  history.after(0.05).server('sale', order)
  if (random() < REFUNDS) history.after(DAY_AS_MINUTES * (1 + 9 * random())).server('refund', order)
}
