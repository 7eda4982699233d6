/** The competitors that a brand is compared with. */

import { randomUUID } from 'node:crypto'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { CompetitorRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { plainName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { type GivenNames, readBrandNames } from './brand-names.ts'
import { encodeNames, findBrandOfAccount, type NamedBrand } from './brands.ts'

const MAX_COMPETITORS = 50

/** @throws Refusal not_found (the brand), invalid_input (names), conflict (the name is taken), limit_reached. */
export async function addCompetitor(
  { control, clock }: ControlContext,
  { account_id, brand, ...given }: NamedBrand & GivenNames,
): Promise<CompetitorRow> {
  const names = readBrandNames(given, 'a competitor')
  return control.transaction(async (trx) => {
    const { id: brand_id } = await findBrandOfAccount(trx, { account_id, brand })
    const others = await trx.selectFrom('competitors').select('name').where('brand_id', '=', brand_id).execute()
    if (others.length >= MAX_COMPETITORS) {
      throw new Refusal('limit_reached', `The brand has ${MAX_COMPETITORS} competitors, the maximum: remove one first.`)
    }
    if (others.some((other) => other.name === names.name)) {
      throw new Refusal('conflict', `The brand has a competitor ${quoted(names.name)} already: give another name.`)
    }
    const row = { id: randomUUID(), brand_id, created_at: clock.now(), ...encodeNames(names) }
    await trx.insertInto('competitors').values(row).execute()
    return row
  })
}

/** Removes a competitor, named by id or name. @throws Refusal not_found. */
export async function removeCompetitor(
  { control }: { control: ControlStore },
  { account_id, brand, competitor }: NamedBrand & { competitor: string },
): Promise<CompetitorRow> {
  return control.transaction(async (trx) => {
    const { id: brand_id } = await findBrandOfAccount(trx, { account_id, brand })
    const found = await trx
      .selectFrom('competitors')
      .selectAll()
      .where('brand_id', '=', brand_id)
      .where((is) => is.or([is('id', '=', competitor.toLowerCase()), is('name', '=', plainName(competitor))]))
      .executeTakeFirst()
    if (found === undefined) {
      throw new Refusal('not_found', `The brand has no competitor ${quoted(competitor)}: {next} shows all of them.`, {
        next: { step: 'brand.show' },
      })
    }
    await trx.deleteFrom('competitors').where('id', '=', found.id).execute()
    return found
  })
}

/** The domains of all competitors of a brand, in a fixed order. */
export async function readRivalDomains(db: ControlDb, brand_id: string): Promise<string[]> {
  const rivals = await db
    .selectFrom('competitors')
    .select('domains')
    .where('brand_id', '=', brand_id)
    .orderBy('id')
    .execute()
  return rivals.flatMap(({ domains }) => JSON.parse(domains) as string[])
}
