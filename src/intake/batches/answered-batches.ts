/** Stores the answers to batches for 72 hours: a retry gets the first answer and stores nothing (rules 4). */
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { HOUR_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { IntakeAnswer } from './batch-answer.ts'
import { IntakeRefusal } from './batch-refusal.ts'

export const BATCH_ANSWER_LIFETIME_MS = 72 * HOUR_MS
/** Longer answers, which list many refused records, are stored compressed. */
const MAX_PLAIN_LENGTH = 1_000
const DEFLATED = '~'

/** Hashes that identify a batch; that of the key is null without a key. */
export interface BatchName {
  source_id: string
  /** Hash of the body: the same records are the same events, however they are read. */
  body: string
  /** Hash of the body and of how it is read: an answer is repeated only for the same request. */
  batch: string
  idempotency_key: string | null
}

/** `sender`: the name in the delivery, empty if it has none, because a retry may have another token. */
export function nameBatch(of: {
  source_id: string
  sender: string
  body_sha256: string
  /** Dialect and columns; null for generic records. */
  read_as: string | null
  idempotency_key: string | null
}): BatchName {
  const { source_id, sender, body_sha256, read_as, idempotency_key } = of
  const named = (kind: string, ...texts: string[]) =>
    createHash('sha256')
      .update([kind, source_id, sender, ...texts].join('\n'))
      .digest('hex')
  const body = named('body', body_sha256)
  const way = read_as === null ? [] : [read_as]
  return {
    source_id,
    body,
    batch: read_as === null ? body : named('read', body_sha256, read_as),
    idempotency_key: idempotency_key === null ? null : named('key', idempotency_key, ...way),
  }
}

/**
 * The earlier answer to this batch, by its key or its body; null: the batch is new.
 * @throws IntakeRefusal key_reused: the key belongs to another body.
 */
export async function findAnswer(db: ControlDb, name: BatchName, now: number): Promise<IntakeAnswer | null> {
  const { source_id, batch, idempotency_key } = name
  const found = await db
    .selectFrom('intake_batches')
    .select(['batch', 'idempotency_key', 'answer'])
    .where('source_id', '=', source_id)
    .where('answered_at', '>', now - BATCH_ANSWER_LIFETIME_MS)
    .where((is) =>
      is.or([
        is('batch', '=', batch),
        ...(idempotency_key === null ? [] : [is('idempotency_key', '=', idempotency_key)]),
      ]),
    )
    .execute()
  if (idempotency_key !== null && found.some((row) => row.idempotency_key === idempotency_key && row.batch !== batch)) {
    throw new IntakeRefusal(
      'key_reused',
      'This Idempotency-Key came with another body within the last 72 hours: give every batch a key of its own, and repeat a batch unchanged. Nothing was stored.',
    )
  }
  const same = found.find((row) => row.batch === batch)
  return same === undefined ? null : unpack(same.answer)
}

/** Stores the answer of a batch, for repeats of the batch. */
export async function storeBatchAnswer(
  trx: ControlTransaction,
  { source_id, batch, idempotency_key }: BatchName,
  answer: IntakeAnswer,
  now: number,
): Promise<void> {
  const row = { idempotency_key, answer: pack(answer), answered_at: now }
  await trx
    .insertInto('intake_batches')
    .values({ source_id, batch, ...row })
    .onConflict((conflict) => conflict.columns(['source_id', 'batch']).doUpdateSet(row))
    .execute()
}

/** Deletes answers after 72 hours; returns their number. */
export async function deleteOldBatchAnswers(db: ControlDb, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('intake_batches')
    .where('answered_at', '<=', now - BATCH_ANSWER_LIFETIME_MS)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function pack(answer: IntakeAnswer): string {
  const text = JSON.stringify(answer)
  return text.length <= MAX_PLAIN_LENGTH ? text : DEFLATED + deflateRawSync(text).toString('base64')
}

function unpack(text: string): IntakeAnswer {
  const plain = text.startsWith(DEFLATED) ? inflateRawSync(Buffer.from(text.slice(1), 'base64')).toString() : text
  return JSON.parse(plain) as IntakeAnswer
}
