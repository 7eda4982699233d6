/** The states of a connected zone and their transitions (rules 3: the table of sources). */
import { MINUTE_MS } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { ZoneRow } from '#control/tables.ts'
import type { ZoneFault } from './failure.ts'

/** After this many consecutive failed polls a zone is in error. */
const POLLS_UNTIL_ERROR = 3
const FIRST_DELAY_MS = 5 * MINUTE_MS
const MAX_DELAY_MS = 30 * MINUTE_MS

/** False: the owner has disconnected the zone or replaced its token since the poll began. */
export async function isStillPolled(
  tx: ControlTransaction,
  { source_id, sealed_token }: Pick<ZoneRow, 'source_id' | 'sealed_token'>,
): Promise<boolean> {
  const row = await tx.selectFrom('zones').select('sealed_token').where('source_id', '=', source_id).executeTakeFirst()
  return row !== undefined && row.sealed_token !== null && row.sealed_token === sealed_token
}

export interface GoodPoll {
  polled_at: number
  next_poll_at: number
}

/** Records a good poll, which makes a zone live. */
export async function noteGoodPoll(control: ControlStore, zone: ZoneRow, poll: GoodPoll): Promise<void> {
  await whileStillPolled(control, zone, async (tx) => {
    await tx
      .updateTable('zones')
      .set({ failed_polls: 0, error_code: null, last_poll_at: poll.polled_at, next_poll_at: poll.next_poll_at })
      .where('source_id', '=', zone.source_id)
      .execute()
    await setStatus(tx, zone.source_id, 'live')
  })
}

/** Postpones a poll because the budget of the token is used up; the state of the zone is unchanged. */
export async function postponePoll(control: ControlStore, zone: ZoneRow, next_poll_at: number): Promise<void> {
  await whileStillPolled(control, zone, async (tx) => {
    await tx.updateTable('zones').set({ next_poll_at }).where('source_id', '=', zone.source_id).execute()
  })
}

export interface FailedPoll {
  polled_at: number
  fault: ZoneFault
  /** The pause that Cloudflare asks for; null: a pause that grows with each failure. */
  retry_after_ms: number | null
}

/** Records a failed poll. From the third consecutive one on the zone is in error, until the next good poll. */
export async function noteFailedPoll(control: ControlStore, zone: ZoneRow, poll: FailedPoll): Promise<void> {
  const failed_polls = zone.failed_polls + 1
  const delay = poll.retry_after_ms ?? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(10, failed_polls - 1))
  await whileStillPolled(control, zone, async (tx) => {
    await tx
      .updateTable('zones')
      .set({ failed_polls, error_code: poll.fault, last_poll_at: poll.polled_at, next_poll_at: poll.polled_at + delay })
      .where('source_id', '=', zone.source_id)
      .execute()
    if (failed_polls >= POLLS_UNTIL_ERROR) await setStatus(tx, zone.source_id, 'error')
  })
}

/** Deletes a token that Cloudflare rejects; the zone waits for a new one. */
export async function noteRevoked(control: ControlStore, zone: ZoneRow, polled_at: number): Promise<void> {
  await whileStillPolled(control, zone, async (tx) => {
    await tx
      .updateTable('zones')
      .set({ sealed_token: null, error_code: 'token_rejected', last_poll_at: polled_at })
      .where('source_id', '=', zone.source_id)
      .execute()
    await setStatus(tx, zone.source_id, 'revoked')
  })
}

/** Runs a write, unless the owner has disconnected the zone or replaced its token since the poll began. */
export async function whileStillPolled(
  control: ControlStore,
  zone: ZoneRow,
  write: (tx: ControlTransaction) => Promise<void>,
): Promise<void> {
  await control.transaction(async (tx) => {
    if (await isStillPolled(tx, zone)) await write(tx)
  })
}

async function setStatus(
  tx: ControlTransaction,
  source_id: string,
  connection_status: 'live' | 'error' | 'revoked',
): Promise<void> {
  await tx.updateTable('sources').set({ connection_status }).where('id', '=', source_id).execute()
}
