/**
 * An honest client beside the attack: it delivers batches and events until each is acknowledged, and reads
 * continuously. It remembers what was acknowledged, and checks every answer when it arrives.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { SITE } from '#demo/stories.ts'
import { HONEST_SITE, type Secrets } from './installed.ts'
import { Broken, check } from './scenario.ts'

const AGENT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const BROWSER =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
export const BATCH_RECORDS = 20
const RETRY_MS = 200
const EVERY_MS = 120
/** No request may take longer, whatever happens. */
const HANG_MS = 60_000
const SETTLE_MS = 180_000
const QUERY = 'window=30d&purpose=search,assistant,training,unknown'

/**
 * The allowed outcomes of a request: it must succeed; or it may be refused with 503, 500 or 429 in the form of its
 * surface; or it may have no answer at all, because the service is down.
 */
export type Allowed = 'success' | 'refusals' | 'silence'
const ORDER: readonly Allowed[] = ['success', 'refusals', 'silence']

export interface Counts {
  batches: number
  events: number
  reads: number
  refused: number
  unanswered: number
  slowest_ms: number
}

interface Read {
  name: string
  path: string
  init: RequestInit
  /** The body without what differs between two reads; null: not compared. */
  constant: ((body: Record<string, unknown>) => unknown) | null
}

export class HonestClient {
  readonly counts: Counts = { batches: 0, events: 0, reads: 0, refused: 0, unanswered: 0, slowest_ms: 0 }
  readonly #url: string
  readonly #secrets: Secrets
  #reads: readonly Read[]
  readonly #baseline = new Map<string, string>()
  #allowed: Allowed = 'success'
  #sent_batches = 0
  #is_over = false
  #is_resting = false
  #steps = 0
  #loops: Promise<unknown> = Promise.resolve()
  #failure: unknown = null
  /** False if the attack itself changes the answers about the demo's site. */
  compares_history = true

  constructor(url: string, secrets: Secrets) {
    this.#url = url
    this.#secrets = secrets
    this.#reads = readsOf(url, secrets)
  }

  /** Reads everything once, for comparison with later answers, and begins. */
  async start(): Promise<void> {
    for (const read of this.#reads) await this.#read(read)
    const loops = [() => this.#deliver(), () => this.#collect(), () => this.#readNext()]
    this.#loops = Promise.all(loops.map((step) => this.#repeat(step)))
    this.#loops.catch((error: unknown) => {
      this.#failure ??= error
    })
  }

  /** Sets the allowed outcomes of requests that begin or end from now on. */
  allow(allowed: Allowed): void {
    this.#allowed = allowed
  }

  /** Throws if a condition has not held so far. */
  judge(): void {
    if (this.#failure !== null) throw this.#failure
  }

  /** Waits until this many more batches and events are acknowledged and every read has been made, or fails. */
  async works(more = 3, within_ms = HANG_MS * 2): Promise<void> {
    const { batches, events, reads } = this.counts
    const until = performance.now() + within_ms
    const isDone = () =>
      this.counts.batches >= batches + more &&
      this.counts.events >= events + more &&
      this.counts.reads >= reads + this.#reads.length
    while (!isDone()) {
      this.judge()
      check(performance.now() < until, `the honest client got nothing done within ${within_ms / 1_000} s`)
      await pause(50)
    }
  }

  /** Pauses all requests; resolves when none is under way. */
  async rest(): Promise<void> {
    this.#is_resting = true
    while (this.#steps > 0) await pause(50)
    this.judge()
  }

  /** The attack has signed its user out, so it stops reading as that user. */
  forgetSession(): void {
    this.#reads = this.#reads.filter(({ name }) => name !== 'session')
  }

  goOn(): void {
    this.#is_resting = false
  }

  /** Ends the loops once everything under way is acknowledged. */
  async stop(): Promise<void> {
    this.#is_over = true
    await this.#loops
    this.judge()
  }

  /** Ends the loops whatever is under way, after a round that broke off. */
  giveUp(): void {
    this.#is_over = true
    this.#failure ??= new Broken('the round broke off')
  }

  /** After the stop: exactly the acknowledged batches and events are stored. */
  async verify(): Promise<void> {
    const expected = this.counts.batches * BATCH_RECORDS
    const counted = await this.#requests()
    check(counted === expected, `${expected} requests were acknowledged, ${counted} are there`)
    const until = performance.now() + SETTLE_MS
    for (;;) {
      const pageviews = await this.#pageviews()
      if (pageviews === this.counts.events) return
      const said = `${this.counts.events} events were acknowledged, ${pageviews} are there`
      check((pageviews ?? 0) < this.counts.events && performance.now() < until, said)
      await pause(500)
    }
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#is_over && this.#failure === null) {
      if (!this.#is_resting) {
        this.#steps++
        await step().finally(() => this.#steps--)
      }
      await pause(EVERY_MS)
    }
  }

  async #deliver(): Promise<void> {
    const number = this.#sent_batches++
    const at = Date.now() - 2 * 86_400_000
    const records = Array.from({ length: BATCH_RECORDS }, (_, index) => ({
      timestamp: at + index,
      path: `/b/${number % 50}/${index}`,
      method: 'GET',
      status: 200,
      user_agent: AGENT,
      id: `${number}-${index}-honest`,
    }))
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const headers = { authorization: `Bearer ${this.#secrets.intake_token}` }
    const answer = await this.#untilTaken('/intake/logs', { method: 'POST', headers, body }, 200)
    const { accepted, duplicates } = answer as { accepted: number; duplicates: number }
    check(accepted + duplicates === BATCH_RECORDS, `a batch was answered with ${JSON.stringify(answer)}`)
    this.counts.batches++
  }

  async #collect(): Promise<void> {
    const id = crypto.randomUUID()
    const url = `https://${HONEST_SITE}/e/${this.counts.events % 20}`
    const body = JSON.stringify({ v: 1, site: this.#secrets.public_key, type: 'pageview', url, id })
    const headers = { origin: `https://${HONEST_SITE}`, 'user-agent': BROWSER, 'content-type': 'text/plain' }
    const forwarded = { 'x-forwarded-for': `198.51.100.${this.counts.events % 250}` }
    const init = { method: 'POST', headers: { ...headers, ...forwarded }, body }
    const answer = await this.#untilTaken('/collect', init, 202)
    check((answer as { accepted?: number }).accepted === 1, `an event was answered with ${JSON.stringify(answer)}`)
    this.counts.events++
  }

  /** Repeats it until it is accepted. */
  async #untilTaken(path: string, init: RequestInit, taken: number): Promise<unknown> {
    for (;;) {
      const answer = await this.#ask(path, init)
      if (answer?.status === taken) return answer.body
      if (this.#failure !== null) throw this.#failure
      await pause(RETRY_MS)
    }
  }

  #next_read = 0
  async #readNext(): Promise<void> {
    await this.#read(this.#reads[this.#next_read++ % this.#reads.length] as Read)
  }

  async #read({ name, path, init, constant }: Read): Promise<void> {
    const before = this.counts.batches
    const answer = await this.#ask(path, init)
    if (answer === null || answer.status !== 200) return
    this.counts.reads++
    if (name === 'honest') {
      const counted = Number(answer.body.observed_request_count ?? 0)
      const at_most = this.#sent_batches * BATCH_RECORDS
      const said = `${counted} requests are read, and ${before * BATCH_RECORDS} were acknowledged, ${at_most} sent`
      check(counted >= before * BATCH_RECORDS && counted <= at_most, said)
    }
    if (constant === null || !this.compares_history) return
    const text = JSON.stringify(constant(answer.body))
    const baseline = this.#baseline.get(name)
    if (baseline === undefined) this.#baseline.set(name, text)
    else check(text === baseline, `${name} changed its answer: ${text.slice(0, 500)} was ${baseline.slice(0, 500)}`)
  }

  /** Null: no answer, or a refusal, which was allowed. */
  async #ask(path: string, init: RequestInit): Promise<{ status: number; body: Record<string, unknown> } | null> {
    const before = this.#allowed
    const since = performance.now()
    const mayBe = (allowed: Allowed) =>
      Math.max(ORDER.indexOf(before), ORDER.indexOf(this.#allowed)) >= ORDER.indexOf(allowed)
    const method = init.method ?? 'GET'
    let answer: Response
    let text: string
    try {
      answer = await fetch(this.#url + path, { ...init, signal: AbortSignal.timeout(HANG_MS) })
      text = await answer.text()
    } catch (error) {
      const why = String((error as Error).cause ?? error)
      if (performance.now() - since >= HANG_MS) throw new Broken(`${method} ${path} hung for ${HANG_MS / 1_000} s`)
      if (!mayBe('silence')) throw new Broken(`${method} ${path} was not answered: ${why}`)
      this.counts.unanswered++
      return null
    }
    this.counts.slowest_ms = Math.max(this.counts.slowest_ms, Math.round(performance.now() - since))
    if (answer.status < 300) return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> }
    const said = `${method} ${path} answered ${answer.status} ${text.slice(0, 300)}`
    check([429, 500, 503].includes(answer.status) && mayBe('refusals'), said)
    check(isFailure(text), `${said}: not in the form of a failure`)
    this.counts.refused++
    return null
  }

  async #requests(): Promise<number> {
    const { body } = await this.#settled(`/v1/sites/${HONEST_SITE}/performance?${QUERY}`)
    return Number(body.observed_request_count ?? 0)
  }

  async #pageviews(): Promise<number | null> {
    const { body } = await this.#settled(`/v1/sites/${HONEST_SITE}/overview?window=7d`)
    return (body.metrics as { pageviews: number | null }).pageviews
  }

  async #settled(path: string): Promise<{ body: Record<string, unknown> }> {
    const headers = { authorization: `Bearer ${this.#secrets.site_key}` }
    const answer = await this.#ask(path, { headers })
    check(answer !== null, `GET ${path} was refused after the attack`)
    return answer
  }
}

/** A problem (RFC 9457), the form of the account's and the dashboard's API, or a failure of JSON-RPC. */
function isFailure(text: string): boolean {
  try {
    const body = JSON.parse(text) as Record<string, unknown>
    return [body.title, body.code, (body.error as { message?: unknown } | undefined)?.message].some(isText)
  } catch {
    return false
  }
}

const isText = (value: unknown) => typeof value === 'string'

function readsOf(url: string, secrets: Secrets): Read[] {
  const site = { headers: { authorization: `Bearer ${secrets.site_key}` } }
  const account = { headers: { authorization: `Bearer ${secrets.account_token}` } }
  const dashboard = { headers: { cookie: `spoor_session=${secrets.session}`, origin: url } }
  const withoutMeta = ({ meta: _meta, ...rest }: Record<string, unknown>) => rest
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const mcp = { method: 'POST', headers: { ...account.headers, ...json }, body: JSON.stringify(message) }
  return [
    { name: 'honest', path: `/v1/sites/${HONEST_SITE}/performance?${QUERY}`, init: site, constant: null },
    { name: 'performance', path: `/v1/sites/${SITE}/performance?${QUERY}`, init: site, constant: withoutMeta },
    { name: 'crawlers', path: `/v1/sites/${SITE}/crawlers?${QUERY}`, init: site, constant: withoutMeta },
    { name: 'top pages', path: `/v1/sites/${SITE}/top-pages?${QUERY}`, init: site, constant: withoutMeta },
    { name: 'overview', path: `/v1/sites/${SITE}/overview?window=7d`, init: site, constant: null },
    { name: 'account', path: '/api/v1/account', init: account, constant: null },
    { name: 'session', path: '/dashboard-api/getSession', init: dashboard, constant: null },
    { name: 'tools', path: '/mcp', init: mcp, constant: null },
  ]
}
