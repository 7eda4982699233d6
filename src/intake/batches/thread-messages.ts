/** The messages between the service and its reading thread. */

import type { HeldLists } from '#crawlers/identity/prove-request.ts'
import type { NameAnswer, NamesKnown, WaitingAddress } from '#crawlers/identity/reverse-dns-answers.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import type { NextStep } from '#next-step.ts'
import type { FactAgent } from '../facts/fact.ts'
import type { IntakeRefusalKind } from './batch-refusal.ts'
import type { ReadBatch } from './finish-batch.ts'
import type { LoadTable } from './load-limits.ts'
import type { EncodedItems } from './numbered.ts'
import type { ReadOrder } from './read-batch.ts'

/** The settings of a new thread. */
export interface ThreadSetting {
  load: LoadTable
  /** Null: reverse DNS is not used. */
  names: NamesKnown | null
}

/** `id` names a batch. */
export type ToThread =
  | { kind: 'basis'; document: RegistryDocument; lists: HeldLists }
  | { kind: 'learned'; address: string; answer: NameAnswer }
  | { kind: 'forgotten'; address: string }
  | { kind: 'order'; id: number; order: ReadOrder }
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  /** The body was interrupted, or a query of the batch failed. */
  | { kind: 'broken'; id: number }
  | { kind: 'stored'; question: number; names: readonly string[] | null }
  | { kind: 'ping' }

export interface Question {
  kind: 'question'
  question: number
  id: number
  site_id: string
  about: NamesQuestion
}

/**
 * Requests the hosts of the site, the agents of a day (`YYYY-MM-DD`), or whether an inspection of the site has the id.
 */
export type NamesQuestion = { kind: 'hosts' } | { kind: 'agents'; day: string } | { kind: 'inspection'; id: string }

interface ThreadRefusal {
  kind: IntakeRefusalKind
  next: NextStep | undefined
}

export type FromThread =
  | { kind: 'taken'; id: number }
  | Question
  | { kind: 'waiting'; addresses: WaitingAddress[] }
  | { kind: 'read'; id: number; read: ReadBatch; agents: EncodedItems<FactAgent>; pages: EncodedItems<string> }
  /** `refusal` null: a bug. */
  | { kind: 'failed'; id: number; refusal: ThreadRefusal | null; message: string; stack: string }
  | { kind: 'pong' }
