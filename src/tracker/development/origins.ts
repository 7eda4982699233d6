/** A site's development origins: their pages may send events, kept apart from those of visitors (rules 6.14). */
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import type { DevelopmentOriginRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import type { Site } from '#sites/site.ts'
import { urlHost } from '../collection/page-origin.ts'
import { readDevelopmentOrigin } from './development-origin.ts'

type OriginInput = { site: Pick<Site, 'id' | 'root_domain'>; origin: string }

const MAX_ORIGINS = 20

/** In the order of the alphabet. */
export function listDevelopmentOrigins(db: ControlDb, site_id: string): Promise<DevelopmentOriginRow[]> {
  return db.selectFrom('development_origins').selectAll().where('site_id', '=', site_id).orderBy('origin').execute()
}

/** Adds one; what is on the list stays as it is. @throws Refusal invalid_input, conflict (the list is full). */
export async function addDevelopmentOrigin(
  { control, clock }: ControlContext,
  { site, origin }: OriginInput,
): Promise<string> {
  const read = readOriginFor(site.root_domain, origin)
  return control.transaction(async (trx) => {
    const known = await listDevelopmentOrigins(trx, site.id)
    if (known.some((row) => row.origin === read)) return read
    if (known.length >= MAX_ORIGINS) {
      throw new Refusal('conflict', `The site has ${MAX_ORIGINS} development origins, the maximum: remove one first.`)
    }
    await trx
      .insertInto('development_origins')
      .values({ site_id: site.id, origin: read, added_at: clock.now() })
      .execute()
    return read
  })
}

/** Removes one; what it sent stays until the site's retention ends it. @throws Refusal invalid_input, not_found. */
export async function removeDevelopmentOrigin(
  { control }: Pick<ControlContext, 'control'>,
  { site, origin }: OriginInput,
): Promise<string> {
  const read = readOriginFor(site.root_domain, origin)
  const { numDeletedRows } = await control.db
    .deleteFrom('development_origins')
    .where((is) => is.and({ site_id: site.id, origin: read }))
    .executeTakeFirst()
  if (numDeletedRows > 0n) return read
  throw new Refusal('not_found', `${read} is not a development origin of ${site.root_domain}: {next} shows them.`, {
    next: { step: 'tracker.origin_list' },
  })
}

/** The site's own pages are never development: their visitors would be lost. */
function readOriginFor(root_domain: string, given: string): string {
  const origin = readDevelopmentOrigin(given)
  const host = urlHost(origin)
  if (host !== root_domain && host !== `www.${root_domain}`) return origin
  throw new Refusal(
    'invalid_input',
    `${origin} is the site itself, whose visitors are counted; give the place where it is developed, for example http://localhost:3000`,
  )
}
