/** The consent of the holder of an e-mail address: given by one link, withdrawn by another (rules 8.6). */

import { randomBytes, randomUUID } from 'node:crypto'
import { hashSecret } from '#accounts/bearer-secret.ts'
import { countConsentTry, TooManyTries } from '#accounts/sign-in-tries.ts'
import { HOUR_MS } from '#clock.ts'
import type { AlertEventType } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { AlertReceiverRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { endWaiting } from './attempt.ts'
import { CONFIRM_HOURS, type MailContext, sendConfirmation } from './email.ts'
import { eventTypesText } from './event-types.ts'
import type { AlertedSite } from './outbox.ts'
import { insertReceiver, listReceivers, newEmailReceiver, type ReceiverContext, refuseIfFull } from './receivers.ts'

/**
 * Adds an address and asks its holder by e-mail; it is used once they agree. A holder who has not agreed, or has
 * unsubscribed, is asked again.
 * @throws Refusal invalid_input (not an address), conflict (in use, asked within the hour, or 20 receivers),
 * unreachable (the question was not sent).
 */
export async function addEmail(
  ctx: ReceiverContext & MailContext,
  {
    site,
    email,
    event_types,
  }: { site: AlertedSite; email: string; event_types?: readonly AlertEventType[] | undefined },
): Promise<AlertReceiverRow> {
  const token = newToken()
  const unsubscribe = newToken()
  const confirm_until = ctx.clock.now() + CONFIRM_HOURS * HOUR_MS
  const links = { confirm_sha256: hashSecret(token), confirm_until }
  const added = newEmailReceiver(
    ctx,
    { id: randomUUID(), site_id: site.id, email, event_types },
    { ...links, unsubscribe, unsubscribe_sha256: hashSecret(unsubscribe) },
  )
  const earlier = await findAddress(ctx, added)
  if (earlier?.state === 'active' || earlier?.off_reason === 'gone' || earlier?.off_reason === 'failing') {
    throw new Refusal(
      'conflict',
      `${quoted(added.target)} receives alerts of this site already; {next} shows its state.`,
      {
        next: { step: 'alert.list' },
      },
    )
  }
  // Without room for another receiver, the holder is not asked.
  if (earlier === undefined) refuseIfFull(await listReceivers(ctx.control.db, site.id))
  const forgetTry = await countTryOfConsent(ctx, added)
  const receiver = earlier ?? added
  const { root_domain } = site
  // Before the address is stored, so that a failure leaves nothing behind.
  const asked = await sendConfirmation(ctx, { id: receiver.id, target: receiver.target, root_domain, token })
  if (!asked.is_delivered) {
    await forgetTry()
    if (asked.error_code === 'smtp_not_configured') {
      throw new Refusal(
        'unreachable',
        'Alerts by e-mail need an SMTP server: set SPOOR_SMTP_URL and SPOOR_SMTP_FROM, and restart the service.',
      )
    }
    throw new Refusal(
      'unreachable',
      `The e-mail that asks whether ${quoted(receiver.target)} may be used was not sent (${asked.error_code}): check SPOOR_SMTP_URL, SPOOR_SMTP_FROM and the address.`,
    )
  }
  if (earlier === undefined) {
    await ctx.control.transaction((trx) => insertReceiver(trx, added))
    return added
  }
  return ctx.control.db
    .updateTable('alert_receivers')
    .set({ ...links, state: 'unconfirmed', off_reason: null, event_types: eventTypesText(event_types) })
    .where('id', '=', earlier.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Counts the e-mail before it is sent, so that removing and adding an address does not ask its holder again. */
async function countTryOfConsent(
  ctx: ControlContext,
  { site_id, target }: Pick<AlertReceiverRow, 'site_id' | 'target'>,
): Promise<() => Promise<void>> {
  try {
    return await countConsentTry(ctx, { site_id, email: target })
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error
    throw new Refusal(
      'conflict',
      `${quoted(target)} was asked less than an hour ago: ask again in ${error.wait_seconds} seconds.`,
    )
  }
}

/** The receiver of a link; null: never issued, expired, or its receiver was removed. */
export function findByLink(
  { control, clock }: ControlContext,
  link: 'confirm' | 'unsubscribe',
  token: string,
): Promise<{ id: string; target: string; root_domain: string } | undefined> {
  const found = control.db
    .selectFrom('alert_receivers')
    .innerJoin('sites', 'sites.id', 'alert_receivers.site_id')
    .select(['alert_receivers.id', 'alert_receivers.target', 'sites.root_domain'])
  return link === 'confirm'
    ? found.where('confirm_sha256', '=', hashSecret(token)).where('confirm_until', '>', clock.now()).executeTakeFirst()
    : found.where('unsubscribe_sha256', '=', hashSecret(token)).executeTakeFirst()
}

/** Records that the holder agrees; repeatable. False: the link is not valid. */
export async function confirmAddress(ctx: ControlContext, token: string): Promise<boolean> {
  const found = await findByLink(ctx, 'confirm', token)
  if (found === undefined) return false
  await ctx.control.db
    .updateTable('alert_receivers')
    .set({ state: 'active', state_since: ctx.clock.now(), off_reason: null, failing_since: null })
    .where((is) => is.and({ id: found.id, state: 'unconfirmed' }))
    .execute()
  return true
}

/** Unsubscribes an address and drops its pending alerts. Returns false if the address is unknown. */
export async function unsubscribeAddress(ctx: ControlContext, token: string): Promise<boolean> {
  const found = await findByLink(ctx, 'unsubscribe', token)
  if (found === undefined) return false
  const now = ctx.clock.now()
  await ctx.control.transaction(async (trx) => {
    await trx
      .updateTable('alert_receivers')
      .set({ state: 'off', state_since: now, off_reason: 'unsubscribed', confirm_sha256: null })
      .where('id', '=', found.id)
      .where(({ not, eb }) => not(eb.and([eb('state', '=', 'off'), eb('off_reason', '=', 'unsubscribed')])))
      .execute()
    await endWaiting(trx, found.id, now)
  })
  return true
}

function findAddress(
  { control }: ControlContext,
  { site_id, target }: AlertReceiverRow,
): Promise<AlertReceiverRow | undefined> {
  return control.db
    .selectFrom('alert_receivers')
    .selectAll()
    .where((is) => is.and({ site_id, kind: 'email', target }))
    .executeTakeFirst()
}

const newToken = () => randomBytes(32).toString('base64url')
