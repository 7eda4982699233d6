/** Brands of an account: added, changed, archived, restored and removed by its admins (account API 1). */

import { randomUUID } from 'node:crypto'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { BrandRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { plainName, refuseOtherName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { type BrandNames, type GivenNames, givenAliases, readBrandNames } from './brand-names.ts'
import { decodeBrand, type FoundBrand } from './find-brand.ts'
import { refuseBeyondCapacity } from './questions/capacity.ts'
import { judgeKinds } from './questions/judge-kinds.ts'

const MAX_BRANDS = 200

/** Names one brand of an account by id or name. */
export interface NamedBrand {
  account_id: string
  brand: string
}

/** @throws Refusal invalid_input (names), conflict (the name is taken), limit_reached. */
export async function addBrand(
  { control, clock }: ControlContext,
  { account_id, site_id, ...given }: GivenNames & { account_id: string; site_id: string | null },
): Promise<FoundBrand> {
  const names = readBrandNames(given, 'a brand')
  return control.transaction(async (trx) => {
    const brands = await trx.selectFrom('brands').select('id').where('account_id', '=', account_id).execute()
    if (brands.length >= MAX_BRANDS) {
      throw new Refusal('limit_reached', `The account has ${MAX_BRANDS} brands, the maximum: remove one first.`)
    }
    await refuseTakenName(trx, account_id, names.name)
    const row: BrandRow = {
      id: randomUUID(),
      account_id,
      site_id,
      ...encodeNames(names),
      created_at: clock.now(),
      archived_at: null,
    }
    await trx.insertInto('brands').values(row).execute()
    return decodeBrand(row)
  })
}

/** The brands of an account by name; archived ones only on request. */
export async function listAllBrands(
  db: ControlDb,
  { account_id, with_archived }: { account_id: string; with_archived: boolean },
): Promise<FoundBrand[]> {
  const rows = await db
    .selectFrom('brands')
    .selectAll()
    .where('account_id', '=', account_id)
    .$if(!with_archived, (query) => query.where('archived_at', 'is', null))
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(decodeBrand)
}

/**
 * A brand of the account by id or name, archived or not. @throws Refusal not_found, conflict (several have the name).
 */
export async function findBrandOfAccount(db: ControlDb, { account_id, brand }: NamedBrand): Promise<FoundBrand> {
  const found = await db
    .selectFrom('brands')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((is) => is.or([is('id', '=', brand.toLowerCase()), is('name', '=', plainName(brand))]))
    .executeTakeFirst()
  if (found !== undefined) return decodeBrand(found)
  throw new Refusal('not_found', `No brand has the id or name ${quoted(brand)}: {next} shows all of them.`, {
    next: { step: 'brand.list' },
  })
}

/** The changes to a brand; missing fields do not change. */
export type BrandEdit = Partial<GivenNames & { site_id: string | null }>

/**
 * Changes a brand. If its names change, the kinds of its questions are judged again in the same transaction.
 * @throws Refusal as `addBrand`, and not_found.
 */
export async function editBrand(
  { control }: ControlContext,
  { account_id, brand, site_id, ...edit }: NamedBrand & BrandEdit,
): Promise<FoundBrand> {
  return control.transaction(async (trx) => {
    const found = await findBrandOfAccount(trx, { account_id, brand })
    const names = readBrandNames({ ...found, aliases: givenAliases(found), ...edit }, 'a brand')
    if (names.name !== found.name) await refuseTakenName(trx, account_id, names.name)
    const changed = { ...encodeNames(names), site_id: site_id === undefined ? found.site_id : site_id }
    await trx.updateTable('brands').set(changed).where('id', '=', found.id).execute()
    await judgeKinds(trx, found.id, names)
    return { ...found, ...names, site_id: changed.site_id }
  })
}

/**
 * Archives a brand: surface B does not show it, and its questions are not asked. A repeat keeps the first instant.
 */
export async function archiveBrand({ control, clock }: ControlContext, named: NamedBrand): Promise<FoundBrand> {
  return control.transaction(async (trx) => {
    const found = await findBrandOfAccount(trx, named)
    const archived_at = found.archived_at === null ? clock.now() : found.archived_at
    await trx.updateTable('brands').set({ archived_at }).where('id', '=', found.id).execute()
    return { ...found, archived_at }
  })
}

/**
 * Shows a brand again. Its daily scan is due again from now on: none was on the days that it was archived.
 * @throws Refusal not_found; limit_reached when its active questions have no room in the account.
 */
export async function restoreBrand({ control, clock }: ControlContext, named: NamedBrand): Promise<FoundBrand> {
  return control.transaction(async (trx) => {
    const found = await findBrandOfAccount(trx, named)
    if (found.archived_at === null) return found
    const questions = await trx
      .selectFrom('questions')
      .select('id')
      .where('brand_id', '=', found.id)
      .where('archived_at', 'is', null)
      .execute()
    await refuseBeyondCapacity(trx, found.account_id, questions.length)
    await trx.updateTable('brands').set({ archived_at: null }).where('id', '=', found.id).execute()
    await trx.updateTable('scan_schedules').set({ since: clock.now() }).where('brand_id', '=', found.id).execute()
    return { ...found, archived_at: null }
  })
}

/** What is deleted with a brand. */
export interface BrandContents {
  questions: number
  competitors: number
}

export async function countContents(db: ControlDb, brand_id: string): Promise<BrandContents> {
  const questions = await db.selectFrom('questions').select('id').where('brand_id', '=', brand_id).execute()
  const competitors = await db.selectFrom('competitors').select('id').where('brand_id', '=', brand_id).execute()
  return { questions: questions.length, competitors: competitors.length }
}

/**
 * Removes a brand with its questions and competitors, for good. @returns what was removed. @throws Refusal not_found.
 */
export async function removeBrand(
  { control }: ControlContext,
  { typed_name, ...named }: NamedBrand & { typed_name?: string },
): Promise<{ brand: FoundBrand; contents: BrandContents }> {
  return control.transaction(async (trx) => {
    const brand = await findBrandOfAccount(trx, named)
    refuseOtherName(brand.name, typed_name)
    const contents = await countContents(trx, brand.id)
    await trx.deleteFrom('brands').where('id', '=', brand.id).execute()
    return { brand, contents }
  })
}

async function refuseTakenName(trx: ControlTransaction, account_id: string, name: string): Promise<void> {
  const other = await trx
    .selectFrom('brands')
    .select('id')
    .where((is) => is.and({ account_id, name }))
    .executeTakeFirst()
  if (other === undefined) return
  throw new Refusal('conflict', `The account has a brand ${quoted(name)} already (${other.id}): give another name.`)
}

export const encodeNames = ({ name, aliases, alias_rules, domains }: BrandNames) => ({
  name,
  aliases: JSON.stringify(aliases),
  alias_rules: JSON.stringify(alias_rules),
  domains: JSON.stringify(domains),
})
