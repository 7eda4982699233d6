/** The states of a connected zone and their transitions (rules 3: the table of sources). */
import { MINUTE_MS } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { ZoneRow } from '#control/tables.ts'
import type { ZoneFault } from './failure.ts'

/** After this many failed polls in a row a zone shows an error. */
const POLLS_UNTIL_ERROR = 3
const FIRST_DELAY_MS = 5 * MINUTE_MS
const MAX_DELAY_MS = 30 * MINUTE_MS

/** False when the owner has disconnected the zone, or put another token in place, since the poll began. */
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

/** A good poll makes a zone live, also one that showed an error. */
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

/** Nothing is known of the zone's state yet: the questions of its token are used up for now. */
export async function postponePoll(control: ControlStore, zone: ZoneRow, next_poll_at: number): Promise<void> {
  await whileStillPolled(control, zone, async (tx) => {
    await tx.updateTable('zones').set({ next_poll_at }).where('source_id', '=', zone.source_id).execute()
  })
}

export interface FailedPoll {
  polled_at: number
  fault: ZoneFault
  /** What Cloudflare asks for; null: it grows with each failure. */
  retry_after_ms: number | null
}

/** The third failed poll in a row shows as an error; the zone is polled on, and the next good poll ends it. */
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

/** Cloudflare refuses the token: it is forgotten, and the zone waits for a new one. */
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

/** Writes unless the owner has disconnected the zone, or put another token in place, since the poll began. */
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
