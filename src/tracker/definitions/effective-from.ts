/** The instant from which a revision of a definition counts (rules 6). */
import { DAY_MS, instantText } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { Refusal } from '#refusal.ts'

/** Returns the retention of the site. @throws Refusal site_not_found: the site was removed since it was found. */
export async function refuseRemoved(trx: ControlTransaction, site_id: string): Promise<{ retention_days: number }> {
  const site = await trx.selectFrom('sites').select('retention_days').where('id', '=', site_id).executeTakeFirst()
  if (site === undefined) throw new Refusal('site_not_found', `The site ${site_id} has been removed.`)
  return site
}

/**
 * The instant from which the first revision of a definition counts, epoch milliseconds: the requested one, else the
 * start of the first day with evidence, else now.
 * @throws Refusal invalid_input (in the future, or before the start of the retention), site_not_found.
 */
export async function firstEffectiveInstant(
  trx: ControlTransaction,
  site_id: string,
  { now, asked }: { now: number; asked: number | undefined },
): Promise<number> {
  const { retention_days } = await refuseRemoved(trx, site_id)
  if (asked === undefined) {
    const tracker = await trx
      .selectFrom('trackers')
      .select('first_event_at')
      .where('site_id', '=', site_id)
      .executeTakeFirst()
    const first = tracker?.first_event_at
    return first == null ? now : Math.min(now, dayStart(utcDay(first)))
  }
  if (!Number.isSafeInteger(asked) || asked > now) {
    throw new Refusal(
      'invalid_input',
      'A definition cannot begin in the future: give a day or an instant that has passed, or leave it out to begin with the first event.',
    )
  }
  const earliest = dayStart(utcDay(now)) - retention_days * DAY_MS
  if (asked < earliest) {
    throw new Refusal(
      'invalid_input',
      `The site keeps evidence for ${retention_days} days, so a definition can begin at ${instantText(earliest)} at the earliest.`,
    )
  }
  return asked
}

/** The instant at which the next revision replaces this one: now, or the start of this one if the clock went back. */
export const nextEffectiveInstant = (now: number, { effective_from }: { effective_from: number }) =>
  Math.max(now, effective_from)
