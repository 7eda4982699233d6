/** One reading thread from start to end: sends it bodies, answers its queries, and receives its results. */
import { Worker } from 'node:worker_threads'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { HeldLists } from '#crawlers/identity/prove-request.ts'
import type { Registry } from '#crawlers/registry/classify.ts'
import type { PageName } from '#evidence/page-names.ts'
import { Refusal } from '#refusal.ts'
import type { FactAgent } from '../facts/fact.ts'
import { isInspectionOf } from '../facts/own-inspections.ts'
import { readHosts } from '../facts/stored-hosts.ts'
import { IntakeRefusal } from './batch-refusal.ts'
import type { LoadTable } from './load-limits.ts'
import { NumberDecoder } from './numbered.ts'
import type { ReadOrder } from './read-batch.ts'
import type { ReadyBatch } from './ready-batch.ts'
import { sendBody } from './send-body.ts'
import { readAgentsOfDay } from './stored-names.ts'
import type { FromThread, NamesQuestion, Question, ThreadSetting, ToThread } from './thread-messages.ts'

export interface LifeOptions {
  load: LoadTable
  entry: URL
  onFailure(error: Error): void
}

/** A batch without a result yet. */
interface UnderWay {
  order: ReadOrder
  resolve(batch: ReadyBatch): void
  reject(error: unknown): void
  /** Why the batch was given up; the thread still has to discard it. */
  given_up: { cause: unknown } | null
  /** Called after the thread has read a chunk, or needs no more. */
  onTaken(): void
}

/** A limit for defects, which must not end the service; normally load and caches bound the memory. */
const MEMORY = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 96 }
/** A thread with batches that does not answer for a minute counts as hung. */
const PING_MS = 10_000
const MAX_UNANSWERED = 6

/** The refusal of batches while the service stops. */
export function stopping(): Refusal {
  return new Refusal('reader_unavailable', 'The service is stopping. Nothing of this batch was stored: send it again.')
}

export class ThreadLife {
  readonly #ctx: CrawlerContext
  readonly #worker: Worker
  readonly #onFailure: (error: Error) => void
  readonly #under_way = new Map<number, UnderWay>()
  readonly #agents = new NumberDecoder<FactAgent>()
  readonly #pages = new NumberDecoder<PageName>()
  readonly #unfollow: () => void
  #known: { registry: Registry; lists: HeldLists } | null = null
  #last_id = 0
  #ping_timer: NodeJS.Timeout | null = null
  #unanswered = 0
  #end: Refusal | null = null

  constructor(ctx: CrawlerContext, { load, entry, onFailure }: LifeOptions) {
    this.#ctx = ctx
    this.#onFailure = onFailure
    const { names, asks_names } = ctx.prover
    const setting: ThreadSetting = { load, names: asks_names ? names.known() : null }
    this.#worker = new Worker(entry, { workerData: setting, resourceLimits: MEMORY })
    this.#unfollow = names.follow({
      learn: (address, answer) => this.#post({ kind: 'learned', address, answer }),
      forget: (address) => this.#post({ kind: 'forgotten', address }),
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#take(message))
    this.#worker.on('error', (error: Error) => this.#fail(error))
    this.#worker.on('exit', (code) => this.#fail(new Error(`it ended with code ${code}`)))
  }

  get is_over(): boolean {
    return this.#end !== null
  }

  /** Sets the registry and the lists for batches that begin from now on. */
  know(registry: Registry, lists: HeldLists): void {
    if (this.#known?.registry === registry && this.#known.lists === lists) return
    this.#known = { registry, lists }
    this.#post({ kind: 'basis', document: registry.document, lists })
  }

  read(order: ReadOrder, open: () => AsyncIterable<Buffer>): Promise<ReadyBatch> {
    if (this.#end !== null) return Promise.reject(this.#end)
    const id = ++this.#last_id
    const body = open()
    return new Promise((resolve, reject) => {
      const batch: UnderWay = { order, resolve, reject, given_up: null, onTaken: () => {} }
      this.#under_way.set(id, batch)
      this.#startPinging()
      this.#post({ kind: 'order', id, order })
      sendBody(body, {
        wants: () => this.#under_way.has(id),
        chunk: (bytes) => this.#post({ kind: 'chunk', id, bytes }, [bytes.buffer]),
        onTaken: (taken) => {
          batch.onTaken = taken
        },
      }).then(
        () => this.#post({ kind: 'end', id }),
        (cause: unknown) => this.#giveUp(id, cause),
      )
    })
  }

  async close(): Promise<void> {
    this.#over(stopping())
    await this.#worker.terminate()
  }

  #post(message: ToThread, handed: ArrayBuffer[] = []): void {
    if (this.#end === null) this.#worker.postMessage(message, handed)
  }

  #take(message: FromThread): void {
    this.#unanswered = 0
    if (message.kind === 'taken') this.#under_way.get(message.id)?.onTaken()
    else if (message.kind === 'question') void this.#answer(message)
    else if (message.kind === 'waiting') this.#ctx.prover.names.giveBack(message.addresses)
    else if (message.kind === 'read') this.#takeRead(message)
    else if (message.kind === 'failed') this.#takeFailure(message)
  }

  async #answer({ question, id, site_id, about }: Question): Promise<void> {
    try {
      const names = await this.#findNames(site_id, about)
      this.#post({ kind: 'stored', question, names })
    } catch (cause) {
      this.#giveUp(id, cause)
      this.#post({ kind: 'stored', question, names: null })
    }
  }

  async #findNames(site_id: string, about: NamesQuestion): Promise<string[]> {
    const { evidence, control } = this.#ctx
    if (about.kind === 'hosts') return readHosts(evidence, site_id)
    if (about.kind === 'agents') return readAgentsOfDay(evidence, site_id, about.day)
    return (await isInspectionOf(control.db, site_id, about.id)) ? [about.id] : []
  }

  #giveUp(id: number, cause: unknown): void {
    const batch = this.#under_way.get(id)
    if (batch === undefined) return
    batch.given_up ??= { cause }
    this.#post({ kind: 'broken', id })
  }

  #takeRead({ id, read, agents, pages }: Extract<FromThread, { kind: 'read' }>): void {
    const batch = this.#done(id)
    if (batch === undefined) return
    const { sender, deliverer } = batch.order
    const { site_id, token_id } = deliverer
    // Also for a batch that was given up, because numbers continue from batch to batch.
    const heard = {
      agents: this.#agents.decode(agents, (agent) => agent),
      pages: this.#pages.decode(pages, (part) => ({ site_id, part, stored_at: null })),
    }
    if (batch.given_up !== null) batch.reject(batch.given_up.cause)
    else batch.resolve({ ...read, ...heard, site_id, token_id, sender: sender ?? token_id })
  }

  #takeFailure({ id, refusal, message, stack }: Extract<FromThread, { kind: 'failed' }>): void {
    const batch = this.#done(id)
    if (batch === undefined) return
    if (batch.given_up !== null) batch.reject(batch.given_up.cause)
    else if (refusal !== null) batch.reject(new IntakeRefusal(refusal.kind, message, refusal.next))
    else batch.reject(Object.assign(new Error(message), { stack }))
  }

  #done(id: number): UnderWay | undefined {
    const batch = this.#under_way.get(id)
    this.#under_way.delete(id)
    batch?.onTaken()
    if (this.#under_way.size === 0) this.#stopPinging()
    return batch
  }

  /** While there are batches, the thread keeps the process alive, and must answer pings. */
  #startPinging(): void {
    this.#worker.ref()
    if (this.#ping_timer !== null) return
    this.#unanswered = 0
    this.#ping_timer = setInterval(() => {
      if (this.#unanswered++ < MAX_UNANSWERED) return this.#post({ kind: 'ping' })
      this.#fail(new Error('it has not answered for a minute'))
      void this.#worker.terminate()
    }, PING_MS).unref()
  }

  #stopPinging(): void {
    this.#worker.unref()
    if (this.#ping_timer !== null) clearInterval(this.#ping_timer)
    this.#ping_timer = null
  }

  #fail(cause: Error): void {
    if (this.#end !== null) return
    const message = 'The thread that reads batches has failed. Nothing of this batch was stored: send it again.'
    this.#over(new Refusal('reader_unavailable', message))
    this.#onFailure(new Error('the thread that reads batches has failed; the next batch starts another', { cause }))
  }

  #over(end: Refusal): void {
    this.#end ??= end
    this.#unfollow()
    for (const id of [...this.#under_way.keys()]) {
      const batch = this.#done(id)
      batch?.reject(batch.given_up === null ? this.#end : batch.given_up.cause)
    }
  }
}
