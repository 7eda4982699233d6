/** Conversions of a site, in immutable revisions (decisions 5). Changes need the permission `edit_definitions`. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import type { ConversionEdit, ConversionInput } from './definition-input.ts'
import type { ConversionRevision, FunnelRevision, Matcher } from './definitions.ts'
import { firstEffectiveInstant, nextEffectiveInstant, refuseRemoved } from './effective-from.ts'
import {
  findLatestConversions,
  findLatestFunnels,
  pickDefinition,
  refuseFurther,
  refuseStale,
  refuseTaken,
} from './latest-revisions.ts'
import { MAX_CONVERSIONS } from './limits.ts'
import { resolveMatcher } from './matcher.ts'
import { reviseFunnelsOf } from './revise-funnels.ts'

/** The site of a definition. The hosts of its pages must be `root_domain` or subdomains of it. */
export interface OwnSite {
  id: string
  root_domain: string
}

/**
 * Creates a conversion with its first revision, which counts from `effective_from` (epoch milliseconds) on; without
 * `effective_from`, from the first day with evidence on.
 * @throws Refusal invalid_input, conflict (name taken, 100 active), site_not_found.
 */
export function addConversion(
  { control, clock }: ControlContext,
  { site, definition, effective_from: asked }: { site: OwnSite; definition: ConversionInput; effective_from?: number },
): Promise<ConversionRevision> {
  const name = checkName(definition.name, 'a conversion')
  return control.transaction(async (trx) => {
    const now = clock.now()
    const effective_from = await firstEffectiveInstant(trx, site.id, { now, asked })
    refuseFurther('conversion', await findLatestConversions(trx, site.id), { most: MAX_CONVERSIONS, name })
    const matcher = await resolveMatcher(trx, site, definition.matcher)
    const id = randomUUID()
    await trx.insertInto('conversions').values({ id, site_id: site.id, created_at: now, archived_at: null }).execute()
    const first = { conversion_id: id, site_id: site.id, revision: 1 }
    return insertRevision(trx, { ...first, name, matcher, effective_from, created_at: now })
  })
}

/**
 * Changes the name or the matcher. A new revision counts from now on, and so do new revisions of the active funnels
 * that use the conversion. An edit that changes nothing creates no revision.
 * @throws Refusal not_found, invalid_input, conflict (archived, name taken, `revision` is not the newest one).
 */
export function editConversion(
  { control, clock }: ControlContext,
  asked: { site: OwnSite; conversion: string; edit: ConversionEdit; revision?: number | undefined },
): Promise<{ conversion: ConversionRevision; revised_funnels: FunnelRevision[] }> {
  const { site, edit } = asked
  return control.transaction(async (trx) => {
    const all = await findLatestConversions(trx, site.id)
    const old = pickConversion(all, asked.conversion)
    refuseStale('conversion', old, asked.revision)
    const name = edit.name === undefined ? old.name : checkName(edit.name, 'a conversion')
    refuseTaken('conversion', all, name, old)
    const matcher = await (edit.matcher === undefined
      ? keptMatcher(trx, site, old.matcher)
      : resolveMatcher(trx, site, edit.matcher))
    if (name === old.name && isDeepStrictEqual(matcher, old.matcher)) return { conversion: old, revised_funnels: [] }
    const now = clock.now()
    const effective_from = nextEffectiveInstant(now, old)
    await endRevision(trx, old, effective_from)
    const next = { conversion_id: old.conversion_id, site_id: old.site_id, revision: old.revision + 1 }
    const conversion = await insertRevision(trx, { ...next, name, matcher, effective_from, created_at: now })
    return { conversion, revised_funnels: await reviseFunnelsOf(trx, conversion, now) }
  })
}

/**
 * Archives a conversion: it counts no further events and keeps its results. Archiving it again changes nothing.
 * @throws Refusal not_found, conflict (active funnels use it; they are named).
 */
export function archiveConversion(
  { control, clock }: ControlContext,
  { site, conversion }: { site: OwnSite; conversion: string },
): Promise<ConversionRevision> {
  return control.transaction(async (trx) => {
    const old = pickConversion(await findLatestConversions(trx, site.id), conversion)
    if (old.archived_at !== null) return old
    const users = (await findLatestFunnels(trx, site.id)).filter(
      ({ archived_at, steps }) =>
        archived_at === null &&
        steps.some((step) => step.kind === 'conversion' && step.conversion_id === old.conversion_id),
    )
    if (users.length > 0) {
      const names = users.map((row) => `"${row.name}"`).join(', ')
      throw new Refusal(
        'conflict',
        `Active funnels use the conversion "${old.name}": ${names}. Archive them, or edit their steps, first.`,
      )
    }
    const archived_at = nextEffectiveInstant(clock.now(), old)
    await endRevision(trx, old, archived_at)
    await trx.updateTable('conversions').set({ archived_at }).where('id', '=', old.conversion_id).execute()
    return { ...old, effective_to: archived_at, archived_at }
  })
}

/** The newest revision of each conversion, by name, active ones first. @throws Refusal site_not_found. */
export function listConversions(
  { control }: Pick<ControlContext, 'control'>,
  site_id: string,
): Promise<ConversionRevision[]> {
  return control.snapshot(async (trx) => {
    await refuseRemoved(trx, site_id)
    return findLatestConversions(trx, site_id)
  })
}

/** By id or name. @throws Refusal not_found, conflict. */
export const pickConversion = (rows: readonly ConversionRevision[], text: string) =>
  pickDefinition('conversion', rows, { idOf: (row) => row.conversion_id }, text)

/**
 * The matcher of the next revision where the edit does not change it. Its rules take the newest revisions of their
 * properties, which are compatible: `editProperty` refuses a change that makes a rule invalid. A page stays the same,
 * even if the site's domain has changed.
 */
function keptMatcher(trx: ControlTransaction, site: OwnSite, matcher: Matcher): Matcher | Promise<Matcher> {
  if (matcher.kind === 'pageview') return matcher
  const property_rules = matcher.property_rules.map(({ property_revision: _old, ...rule }) => rule)
  return resolveMatcher(trx, site, { ...matcher, property_rules })
}

async function endRevision(trx: ControlTransaction, { id }: ConversionRevision, effective_to: number): Promise<void> {
  await trx.updateTable('conversion_revisions').set({ effective_to }).where('id', '=', id).execute()
}

async function insertRevision(
  trx: ControlTransaction,
  { matcher, ...given }: Omit<ConversionRevision, 'id' | 'effective_to' | 'archived_at'>,
): Promise<ConversionRevision> {
  const row = { id: randomUUID(), ...given, effective_to: null }
  await trx
    .insertInto('conversion_revisions')
    .values({ ...row, matcher: JSON.stringify(matcher) })
    .execute()
  return { ...row, matcher, archived_at: null }
}
