/** Funnels of 2 to 5 steps in a session, in immutable revisions (decisions 5). Changes need `edit_definitions`. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ControlContext } from '#control/context.ts'
import { checkName } from '#names.ts'
import type { OwnSite } from './conversions.ts'
import type { FunnelEdit, FunnelInput } from './definition-input.ts'
import { type FunnelRevision, findFunnelRevisions } from './definitions.ts'
import { firstEffectiveInstant, nextEffectiveInstant, refuseRemoved } from './effective-from.ts'
import { findLatestFunnels, pickDefinition, refuseFurther, refuseStale, refuseTaken } from './latest-revisions.ts'
import { MAX_FUNNELS } from './limits.ts'
import { endFunnelRevision, insertFunnelRevision, reviseFunnel } from './revise-funnels.ts'
import { funnelSlug } from './slug.ts'
import { resolveSteps } from './steps.ts'

/**
 * Creates a funnel with its first revision, which counts sessions from `effective_from` (epoch milliseconds) on;
 * without `effective_from`, from the first day with evidence on. Its slug is made from this name and never changes.
 * @throws Refusal invalid_input, not_found (no such conversion), conflict (name taken, 30 active), site_not_found.
 */
export function addFunnel(
  { control, clock }: ControlContext,
  { site, definition, effective_from: asked }: { site: OwnSite; definition: FunnelInput; effective_from?: number },
): Promise<FunnelRevision> {
  const name = checkName(definition.name, 'a funnel')
  return control.transaction(async (trx) => {
    const now = clock.now()
    const effective_from = await firstEffectiveInstant(trx, site.id, { now, asked })
    refuseFurther('funnel', await findLatestFunnels(trx, site.id), { most: MAX_FUNNELS, name })
    const steps = await resolveSteps(trx, site, definition.steps)
    const id = randomUUID()
    const slug = funnelSlug(name, id)
    await trx.insertInto('funnels').values({ id, site_id: site.id, slug, created_at: now, archived_at: null }).execute()
    const owner = { funnel_id: id, site_id: site.id, slug }
    return insertFunnelRevision(trx, { ...owner, revision: 1, name, steps, effective_from, created_at: now })
  })
}

/**
 * Changes the name or the steps. A new revision counts sessions that begin from now on. An edit that changes nothing
 * creates no revision.
 * @throws Refusal not_found, invalid_input, conflict (archived, name taken, `revision` is not the newest one).
 */
export function editFunnel(
  { control, clock }: ControlContext,
  asked: { site: OwnSite; funnel: string; edit: FunnelEdit; revision?: number | undefined },
): Promise<FunnelRevision> {
  const { site, edit } = asked
  return control.transaction(async (trx) => {
    const all = await findLatestFunnels(trx, site.id)
    const old = pickFunnel(all, asked.funnel)
    refuseStale('funnel', old, asked.revision)
    const name = edit.name === undefined ? old.name : checkName(edit.name, 'a funnel')
    refuseTaken('funnel', all, name, old)
    const steps = edit.steps === undefined ? old.steps : await resolveSteps(trx, site, edit.steps)
    if (name === old.name && isDeepStrictEqual(steps, old.steps)) return old
    return reviseFunnel(trx, old, { name, steps }, clock.now())
  })
}

/** Archives a funnel, which keeps its results. Archiving it again changes nothing. @throws Refusal not_found. */
export function archiveFunnel(
  { control, clock }: ControlContext,
  { site, funnel }: { site: OwnSite; funnel: string },
): Promise<FunnelRevision> {
  return control.transaction(async (trx) => {
    const old = pickFunnel(await findLatestFunnels(trx, site.id), funnel)
    if (old.archived_at !== null) return old
    const archived_at = nextEffectiveInstant(clock.now(), old)
    await endFunnelRevision(trx, old, archived_at)
    await trx.updateTable('funnels').set({ archived_at }).where('id', '=', old.funnel_id).execute()
    return { ...old, effective_to: archived_at, archived_at }
  })
}

/** The newest revision of each funnel, by name, active ones first. @throws Refusal site_not_found. */
export function listFunnels({ control }: Pick<ControlContext, 'control'>, site_id: string): Promise<FunnelRevision[]> {
  return control.snapshot(async (trx) => {
    await refuseRemoved(trx, site_id)
    return findLatestFunnels(trx, site_id)
  })
}

/** All revisions of one funnel, oldest first. @throws Refusal not_found, conflict. */
export function showFunnel(
  { control }: Pick<ControlContext, 'control'>,
  { site, funnel }: { site: OwnSite; funnel: string },
): Promise<FunnelRevision[]> {
  return control.snapshot(async (trx) => {
    const { funnel_id } = pickFunnel(await findLatestFunnels(trx, site.id), funnel)
    return (await findFunnelRevisions(trx, site.id)).filter((row) => row.funnel_id === funnel_id)
  })
}

const pickFunnel = (rows: readonly FunnelRevision[], text: string) =>
  pickDefinition('funnel', rows, { idOf: (row) => row.funnel_id, slugOf: (row) => row.slug }, text)
