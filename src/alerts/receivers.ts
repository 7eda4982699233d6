/**
 * The receivers of a site's alerts: webhooks and e-mail addresses (rules 8.6).
 */

import { randomUUID } from 'node:crypto'
import { normalizeEmail } from '#accounts/email.ts'
import { DAY_MS } from '#clock.ts'
import type { AlertEventType } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { AlertReceiverRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { findDestination, type SafeFetchContext } from '#outgoing/destination.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { eventTypesText } from './event-types.ts'
import { openSealed, SealedUnreadable, sealedFor } from './sealed.ts'
import { makeSigningSecret } from './signature.ts'
import { readWebhookUrl } from './webhook-url.ts'

export interface ReceiverContext extends ControlContext {
  secrets: SecretBox
  /** Null: Spoor may not send requests to other servers. */
  outgoing: SafeFetchContext | null
}

const MAX_RECEIVERS = 20
/** After a rotation the previous secret also signs for this long. */
const ROTATION_MS = DAY_MS
const CHECK_TIMEOUT_MS = 10_000

const NEW_RECEIVER = {
  off_reason: null,
  sealed_url: null,
  sealed_secret: null,
  sealed_previous_secret: null,
  previous_secret_until: null,
  confirm_sha256: null,
  confirm_until: null,
  unsubscribe_sha256: null,
  sealed_unsubscribe_token: null,
  failing_since: null,
  last_success_at: null,
  paused_until: null,
} as const

/**
 * Adds a webhook; its secret is returned once and stored sealed.
 * @throws Refusal invalid_input (the URL is refused), unreachable (its name has no address), conflict (20 receivers, or
 * the same URL).
 */
export async function addWebhook(
  ctx: ReceiverContext,
  { site_id, url, event_types }: { site_id: string; url: string; event_types?: readonly AlertEventType[] },
): Promise<{ receiver: AlertReceiverRow; secret: string }> {
  const { href, origin } = await checkUrl(ctx, url)
  const id = randomUUID()
  const secret = makeSigningSecret()
  const now = ctx.clock.now()
  const receiver: AlertReceiverRow = {
    ...NEW_RECEIVER,
    id,
    site_id,
    kind: 'webhook',
    target: origin,
    event_types: eventTypesText(event_types),
    state: 'active',
    state_since: now,
    created_at: now,
    sealed_url: ctx.secrets.seal(href, sealedFor(id, 'url')),
    sealed_secret: ctx.secrets.seal(secret, sealedFor(id, 'secret')),
  }
  await ctx.control.transaction(async (trx) => {
    await refuseSameUrl(trx, ctx.secrets, { site_id, href, origin })
    await insertReceiver(trx, receiver)
  })
  return { receiver, secret }
}

/** Refuses a URL that a receiver has: it would get every alert twice, with two secrets. */
async function refuseSameUrl(
  trx: ControlTransaction,
  secrets: SecretBox,
  { site_id, href, origin }: { site_id: string; href: string; origin: string },
): Promise<void> {
  const others = await trx
    .selectFrom('alert_receivers')
    .select(['id', 'sealed_url'])
    .where('site_id', '=', site_id)
    .where('kind', '=', 'webhook')
    .where('target', '=', origin)
    .execute()
  const same = others.find(({ id, sealed_url }) => urlOf(secrets, id, sealed_url) === href)
  if (same === undefined) return
  throw new Refusal(
    'conflict',
    `This URL at ${origin} gets the alerts of this site already, as receiver ${same.id}: remove that one first ({next}), or give another URL.`,
    { next: { step: 'alert.remove' } },
  )
}

/** The URL of a webhook; null: it was sealed with another key and cannot be compared; its deliveries fail. */
function urlOf(secrets: SecretBox, id: string, sealed_url: string | null): string | null {
  try {
    return openSealed(secrets, sealed_url, sealedFor(id, 'url'))
  } catch (error) {
    if (error instanceof SealedUnreadable) return null
    throw error
  }
}

/** A new receiver of e-mail: `unconfirmed`, with the tokens of its links. */
export function newEmailReceiver(
  { clock, secrets }: Pick<ReceiverContext, 'clock' | 'secrets'>,
  given: { id: string; site_id: string; email: string; event_types?: readonly AlertEventType[] | undefined },
  tokens: { confirm_sha256: string; confirm_until: number; unsubscribe: string; unsubscribe_sha256: string },
): AlertReceiverRow {
  const now = clock.now()
  const { id, site_id, event_types } = given
  const { confirm_sha256, confirm_until, unsubscribe_sha256 } = tokens
  return {
    ...NEW_RECEIVER,
    id,
    site_id,
    kind: 'email',
    target: normalizeEmail(given.email),
    event_types: eventTypesText(event_types),
    state: 'unconfirmed',
    state_since: now,
    created_at: now,
    confirm_sha256,
    confirm_until,
    unsubscribe_sha256,
    sealed_unsubscribe_token: secrets.seal(tokens.unsubscribe, sealedFor(id, 'unsubscribe_token')),
  }
}

/** @throws Refusal conflict (20 receivers, or the same address), site_not_found (it was removed). */
export async function insertReceiver(trx: ControlTransaction, receiver: AlertReceiverRow): Promise<void> {
  const { site_id } = receiver
  const site = await trx.selectFrom('sites').select('id').where('id', '=', site_id).executeTakeFirst()
  if (site === undefined) throw new Refusal('site_not_found', `The site ${site_id} has been removed.`)
  const others = await listReceivers(trx, site_id)
  if (receiver.kind === 'email' && others.some(({ kind, target }) => kind === 'email' && target === receiver.target)) {
    throw new Refusal('conflict', `${quoted(receiver.target)} is a receiver already.`)
  }
  refuseIfFull(others)
  await trx.insertInto('alert_receivers').values(receiver).execute()
}

/** @throws Refusal conflict: the site has the most receivers. */
export function refuseIfFull(receivers: readonly AlertReceiverRow[]): void {
  if (receivers.length >= MAX_RECEIVERS) {
    throw new Refusal(
      'conflict',
      `The site has ${MAX_RECEIVERS} receivers of alerts already, the most that are allowed: remove one ({next}).`,
      {
        next: { step: 'alert.remove' },
      },
    )
  }
}

/** The receivers of a site, the oldest first. */
export function listReceivers(db: ControlDb, site_id: string): Promise<AlertReceiverRow[]> {
  return db
    .selectFrom('alert_receivers')
    .selectAll()
    .where('site_id', '=', site_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * A receiver of a site, by its id, its address, or the origin of its URL.
 * @throws Refusal not_found; conflict when several have that address or origin.
 */
export async function findReceiver(db: ControlDb, site_id: string, text: string): Promise<AlertReceiverRow> {
  const receivers = await listReceivers(db, site_id)
  const named = text.trim().toLowerCase()
  const found = receivers.filter(({ id, target }) => id === named || target === named)
  const [receiver] = found
  if (receiver === undefined) {
    throw new Refusal('not_found', `No receiver of alerts of this site is ${quoted(text)}: {next} lists them.`, {
      next: { step: 'alert.list' },
    })
  }
  if (found.length === 1) return receiver
  throw new Refusal('conflict', `${found.length} receivers are ${quoted(text)}: name one by its id ({next}).`, {
    next: { step: 'alert.list' },
  })
}

/** Deletes a receiver with its deliveries. */
export async function removeReceiver({ control }: ReceiverContext, { id }: AlertReceiverRow): Promise<void> {
  await control.db.deleteFrom('alert_receivers').where('id', '=', id).execute()
}

/**
 * Gives a webhook a new secret, returned once. The previous one also signs for 24 hours; an earlier one ends at once.
 * @throws Refusal invalid_input: an e-mail address has no secret.
 */
export async function rotateSecret(
  { control, clock, secrets }: ReceiverContext,
  receiver: AlertReceiverRow,
): Promise<{ receiver: AlertReceiverRow; secret: string; previous_secret_until: number }> {
  const { id, kind, target } = receiver
  if (kind !== 'webhook') {
    throw new Refusal('invalid_input', `${quoted(target)} is an e-mail address: only webhooks have a secret to rotate.`)
  }
  const secret = makeSigningSecret()
  const previous_secret_until = clock.now() + ROTATION_MS
  const sealed_secret = secrets.seal(secret, sealedFor(id, 'secret'))
  const rotated = await control.transaction((trx) =>
    trx
      .updateTable('alert_receivers')
      .set(({ ref }) => ({ sealed_previous_secret: ref('sealed_secret'), previous_secret_until, sealed_secret }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
  )
  if (rotated === undefined) throw new Refusal('not_found', 'The receiver has been removed.')
  return { receiver: rotated, secret, previous_secret_until }
}

/** Checks a URL like each delivery; if Spoor may not send requests, only its form. */
async function checkUrl({ outgoing }: ReceiverContext, text: string): Promise<URL> {
  const url = readWebhookUrl(text)
  if (outgoing === null) return url
  return (await findDestination(outgoing, url.href, ['http', 'https'], AbortSignal.timeout(CHECK_TIMEOUT_MS))).url
}
