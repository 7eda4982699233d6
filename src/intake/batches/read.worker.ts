/** The thread that reads batches; see read-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { proveBy } from '#crawlers/identity/prove-request.ts'
import { NameCache } from '#crawlers/identity/reverse-dns-answers.ts'
import { compileRegistry, type Registry } from '#crawlers/registry/classify.ts'
import type { FactAgent } from '../facts/fact.ts'
import type { BatchPage } from './batch-pages.ts'
import { IntakeRefusal } from './batch-refusal.ts'
import type { ReadResult } from './finish-batch.ts'
import { Inbox } from './inbox.ts'
import { NumberEncoder } from './numbered.ts'
import { openBatchReader, type ReadOrder } from './read-batch.ts'
import type { FromThread, NamesQuestion, ThreadSetting, ToThread } from './thread-messages.ts'

const MAX_REMEMBERED_CHARACTERS = 16 << 20
const MAX_AGENTS = {
  values: 100_000,
  characters: MAX_REMEMBERED_CHARACTERS,
  lengthOf: ({ user_agent, proof }: FactAgent) => user_agent.length + proof.length,
}
const MAX_PAGES = {
  values: 200_000,
  characters: MAX_REMEMBERED_CHARACTERS,
  lengthOf: ({ part }: BatchPage) => part.length,
}

const setting = workerData as ThreadSetting
const reader = openBatchReader(setting.load)
const agents = new NumberEncoder(MAX_AGENTS)
const pages = new NumberEncoder(MAX_PAGES)
const inboxes = new Map<number, Inbox>()
const questions = new Map<number, { resolve(names: readonly string[]): void; reject(error: Error): void }>()
let asked = 0
let registry: Registry | null = null
let now = 0
/** The service's clock, as of the newest batch. */
const clock = { now: () => now, elapsed: () => performance.now(), shared: () => now }
const names = setting.names === null ? null : new NameCache(clock, setting.names)

function post(message: FromThread, handed: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handed)
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'basis':
      if (registry?.document.version !== message.document.version) registry = compileRegistry(message.document)
      return reader.know(registry, proveBy(registry, message.lists, names))
    case 'learned':
      return names?.learn(message.address, message.answer)
    case 'forgotten':
      return names?.forget(message.address)
    case 'order':
      return void read(message.id, message.order)
    case 'chunk':
      return inboxes.get(message.id)?.put(bufferOf(message.bytes))
    case 'end':
      return inboxes.get(message.id)?.end()
    case 'broken':
      return inboxes.get(message.id)?.fail(new Error('the body broke off'))
    case 'stored':
      return takeAnswer(message.question, message.names)
    case 'ping':
      return post({ kind: 'pong' })
  }
})

/** Reads a batch and posts its result or its failure; never rejects. */
async function read(id: number, order: ReadOrder): Promise<void> {
  now = Math.max(now, order.origin.received_at)
  const inbox = new Inbox(() => post({ kind: 'taken', id }))
  inboxes.set(id, inbox)
  const stored = {
    hosts: (site_id: string) => ask(id, site_id, { kind: 'hosts' }),
    agents: (site_id: string, day: string) => ask(id, site_id, { kind: 'agents', day }),
    isInspection: async (site_id: string, inspection: string) =>
      (await ask(id, site_id, { kind: 'inspection', id: inspection })).length > 0,
  }
  try {
    const result = await reader.read(order, inbox.chunks(), stored)
    postWaiting()
    postResult(id, result)
  } catch (error) {
    postWaiting()
    postFailure(id, error)
  } finally {
    inboxes.delete(id)
  }
}

/** Posts waiting addresses before the batch, whose rows refer to them. */
function postWaiting(): void {
  const addresses = names?.takeUnsaved()
  if (addresses !== undefined && addresses.length > 0) post({ kind: 'waiting', addresses })
}

function postResult(id: number, result: ReadResult): void {
  const { read } = result
  const handed = [...read.months.values()].flatMap((rows) => rows.bytes.map(({ buffer }) => buffer as ArrayBuffer))
  const encoded_agents = agents.encode(result.agents, ({ agent_key, user_agent, proof }) => ({
    agent_key,
    user_agent,
    proof,
  }))
  const encoded_pages = pages.encode(result.pages, ({ part }) => part)
  try {
    post({ kind: 'read', id, read, agents: encoded_agents, pages: encoded_pages }, handed)
  } catch (error) {
    // If a message was lost, the numbers of both sides would differ from here on.
    agents.reset()
    pages.reset()
    throw error
  }
}

function postFailure(id: number, error: unknown): void {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const refusal = error instanceof IntakeRefusal ? { kind: error.kind, next: error.next } : null
  post({ kind: 'failed', id, refusal, message, stack })
}

function ask(id: number, site_id: string, about: NamesQuestion): Promise<readonly string[]> {
  const question = asked++
  post({ kind: 'question', question, id, site_id, about })
  return new Promise((resolve, reject) => questions.set(question, { resolve, reject }))
}

function takeAnswer(question: number, found: readonly string[] | null): void {
  const waiting = questions.get(question)
  questions.delete(question)
  if (found === null) waiting?.reject(new Error('the stored names cannot be read'))
  else waiting?.resolve(found)
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
