/** Records access checks and their callers, and limits them per hour (rules 8.5). */
import { randomUUID } from 'node:crypto'
import type { Caller } from '#accounts/caller.ts'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { countOf } from '#quantities.ts'
import { Refusal } from '#refusal.ts'

/** Of a site. */
const MAX_CHECKS_AN_HOUR = 60

/** Counts and records in one transaction, so that concurrent callers cannot exceed the limit. */
export async function recordAccessCheck(
  { control, clock, site, caller }: SiteContext & { caller: Caller },
  page: { host: string; path: string },
): Promise<void> {
  const checked_at = clock.now()
  await control.transaction(async (tx) => {
    const { count, first_at } = await tx
      .selectFrom('access_checks')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('checked_at').as('first_at')])
      .where('site_id', '=', site.id)
      .where('checked_at', '>', checked_at - HOUR_MS)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_CHECKS_AN_HOUR) {
      const minutes = Math.ceil((Number(first_at) + HOUR_MS - checked_at) / MINUTE_MS)
      throw new Refusal(
        'not_readable',
        `${site.root_domain} had ${MAX_CHECKS_AN_HOUR} access checks within the last hour, which is the limit. Try again in ${countOf(minutes, 'minute')}.`,
      )
    }
    await tx
      .insertInto('access_checks')
      .values({ id: randomUUID(), site_id: site.id, checked_at, ...callerIds(caller), ...page })
      .execute()
  })
}

function callerIds(caller: Caller): { key_id: string | null; user_id: string | null } {
  return {
    key_id: caller.kind === 'site_key' ? caller.key_id : null,
    user_id: caller.kind === 'operator' ? null : caller.user_id,
  }
}
