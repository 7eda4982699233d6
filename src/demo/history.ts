/** Histories written in the domain's words, as an access log: seeds and tests enter through the import. */
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'

export interface RequestOptions {
  path?: string
  /** Null: the log holds no status, the response was not observed. */
  status?: number | null
  method?: string
  /** First field of the line for a log with virtual hosts; left out, the line names no host. */
  host?: string
  /** Time of the first request within the day, `hh:mm`; the others follow, a second apart. */
  from?: string
}

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

/** A history of one site, day by day; `text()` is its access log, in the order of the calls. */
export class History {
  readonly #lines: string[] = []
  #day = utcDay(0)
  #agent = PERSON

  /** Goes to a UTC day, `YYYY-MM-DD`. */
  on(day: string): this {
    this.#day = day
    return this
  }

  /** Goes on by some days in which nothing happens. */
  silent(days: number): this {
    return this.on(utcDay(dayStart(this.#day) + (days + 1) * DAY_MS))
  }

  /** What follows is done by a crawler of the registry, under its documented user agent. */
  crawler(crawlerId: string): this {
    const entry = builtInDocument.entries.find((candidate) => candidate.crawler_id === crawlerId)
    const documented = entry?.example_user_agents[0]
    if (documented === undefined) throw new Error(`the registry has no user agent for ${crawlerId}`)
    return this.agent(documented)
  }

  /** What follows is done under this user agent. */
  agent(userAgent: string): this {
    this.#agent = userAgent
    return this
  }

  /** Requests of the day by the agent named last. */
  requests(count: number, options: RequestOptions = {}): this {
    const [hour = 12, minute = 0] = (options.from ?? '12:00').split(':').map(Number)
    const start = dayStart(this.#day) + (hour * 60 + minute) * MINUTE_MS
    for (let index = 0; index < count; index++) this.#lines.push(line(start + index * 1000, this.#agent, options))
    return this
  }

  /** Human requests every ten minutes, all through the day: they prove that the whole day was covered. */
  humans(options: RequestOptions = {}): this {
    for (let minute = 0; minute < 1440; minute += 10) {
      this.#lines.push(line(dayStart(this.#day) + minute * MINUTE_MS, PERSON, options))
    }
    this.#lines.push(line(dayStart(this.#day) + 1439 * MINUTE_MS, PERSON, options))
    return this
  }

  text(): string {
    return this.#lines.map((text) => `${text}\n`).join('')
  }
}

/** A history of requests of crawlers, as an access log. */
export function history(): History {
  return new History()
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function line(at: number, userAgent: string, options: RequestOptions): string {
  const { path = '/', status = 200, method = 'GET', host } = options
  const front = host === undefined ? '' : `${host}:443 `
  return `${front}203.0.113.7 - - [${logTime(at)}] "${method} ${path} HTTP/1.1" ${status ?? '-'} 512 "-" "${userAgent}"`
}

function logTime(at: number): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(new Date(at).toISOString()) as RegExpExecArray
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`
}
