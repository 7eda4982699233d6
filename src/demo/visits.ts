/** Visits in the domain's words, sent as browsers and servers send them: seeds enter through the collector. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { Collector } from '#tracker/collection/collector.ts'

/** What one sender sends at one instant. */
export interface TrackedEvent {
  /** Epoch milliseconds. */
  at: number
  /** Null: the customer's server. */
  browser: Browser | null
  /** An event as `/collect` takes it, without the site's key. */
  event: { v: 1; id: string; type: 'pageview' | 'event' | 'revenue' } & Record<string, unknown>
}

interface Browser {
  address: string
  user_agent: string
}

export interface Money {
  amount_minor: number
  currency: string
  order_id: string
}

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
]

/** Visits of one site; what happens comes in the order of its time, of all visitors. */
export class Visits {
  readonly #origin: string
  readonly #events: TrackedEvent[] = []
  #day = utcDay(0)
  #at = 0
  #browser: Browser = { address: '', user_agent: '' }
  #path = '/'
  #referrer: string | undefined

  constructor(domain: string) {
    this.#origin = `https://${domain}`
  }

  /** Goes to a UTC day, `YYYY-MM-DD`. */
  on(day: string): this {
    this.#day = day
    return this
  }

  /** A visitor, known by a number, comes at a time of the day, `hh:mm`; without `referrer` from nowhere known. */
  visitor(number: number, at: string, referrer?: string): this {
    const [hours = 0, minutes = 0] = at.split(':').map(Number)
    this.#at = dayStart(this.#day) + hours * HOUR_MS + minutes * MINUTE_MS
    // Networks for documentation (RFC 5737), without owners.
    const network = ['192.0.2', '198.51.100', '203.0.113'][Math.floor(number / 254) % 3]
    this.#browser = {
      address: `${network}.${1 + (number % 254)}`,
      user_agent: USER_AGENTS[number % USER_AGENTS.length] as string,
    }
    this.#referrer = referrer
    return this
  }

  /** Lets time go by. */
  after(minutes: number): this {
    this.#at += Math.round(minutes * MINUTE_MS)
    return this
  }

  /** Opens a page of the site, with a query when it has one. */
  opens(path: string): this {
    this.#path = path
    this.#send('pageview', this.#referrer === undefined ? {} : { referrer: this.#referrer })
    this.#referrer = this.#origin
    return this
  }

  /** Does something that the page reports by name. */
  does(name: string, props: Record<string, string | number | boolean> = {}): this {
    return this.#send('event', { name, props })
  }

  /** Pays, and the page reports it. */
  pays(revenue: Money): this {
    return this.#send('revenue', { revenue })
  }

  /** The customer's server reports a sale or a refund, at the instant where the visit stands. */
  server(kind: 'sale' | 'refund', revenue: Money): this {
    const event = { v: 1, id: this.#nextId(), type: 'revenue', revenue: { ...revenue, kind } } as const
    this.#events.push({ at: this.#at, browser: null, event })
    return this
  }

  /** Everything, earliest first. */
  events(): TrackedEvent[] {
    return this.#events.toSorted((a, b) => a.at - b.at)
  }

  #send(type: TrackedEvent['event']['type'], more: Record<string, unknown>): this {
    const event = { v: 1, id: this.#nextId(), type, url: `${this.#origin}${this.#path}`, ...more } as const
    this.#events.push({ at: this.#at, browser: this.#browser, event })
    return this
  }

  #nextId(): string {
    return `event-${String(this.#events.length).padStart(8, '0')}`
  }
}

/** A history of visits of a domain, as events of the tracker. */
export function visits(domain: string): Visits {
  return new Visits(domain)
}

/** Who takes the visits: a collector whose clock stands where `moveTo` puts it, and the keys of the site. */
export interface VisitTaker {
  collector: Collector
  public_key: string
  server_key: string
  /** Moves the clock's time of day, but not what it calls elapsed: what the collector has loaded grows no older. */
  moveTo(instant: number): void
}

/**
 * Sends every event at its own instant, and says after each day that the collector was up. `events` come earliest
 * first, none after `until` (epoch milliseconds), where the clock stands at last. @throws Error when an event is not
 * taken.
 */
export async function sendVisits(taker: VisitTaker, events: readonly TrackedEvent[], until: number): Promise<void> {
  const { collector, moveTo } = taker
  for (const [day, of_day] of Map.groupBy(events, ({ at }) => utcDay(at))) {
    const [first, ...rest] = of_day as [TrackedEvent, ...TrackedEvent[]]
    moveTo(first.at)
    // What a day needs is loaded with its first event; from then on an event's instant is taken at once.
    await send(taker, first)
    const sent: Promise<void>[] = []
    for (const event of rest) {
      moveTo(event.at)
      sent.push(send(taker, event))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(sent)
    moveTo(Math.min(until, dayStart(day) + DAY_MS - 1))
    await collector.settle()
    await collector.mark()
  }
  moveTo(until)
  await collector.mark()
}

async function send({ collector, public_key, server_key }: VisitTaker, { browser, event }: TrackedEvent) {
  const taken =
    browser === null
      ? collector.collectFromServer({
          read: async () => Buffer.from(JSON.stringify(event)),
          key: server_key,
          network: '',
        })
      : collector.collect({
          body: Buffer.from(JSON.stringify({ ...event, site: public_key })),
          page: { origin: new URL(String(event.url)).origin, referer: undefined },
          address: browser.address,
          network: browser.address,
          user_agent: browser.user_agent,
          opts_out: false,
        })
  const { rejected } = await taken
  if (rejected[0] !== undefined) throw new Error(`the event ${event.id} was not taken: ${rejected[0].message}`)
}
