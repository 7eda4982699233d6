/** Assigns hosts to sources: by the owner, by opening the gate, or because a contract changed (decisions 3.8). */
import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { DAY_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { ContractRevisionRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'
import type { Site } from '#sites/site.ts'
import { findSource } from '#sources/find-source.ts'
import { readCoverageEvidence } from '../coverage/site-coverage.ts'
import { revisionOf } from './contract-revision.ts'
import type { Assignment } from './read-authority.ts'

/** Hosts beyond the limit of a site share this name (rules 3). */
const OTHER_HOSTS = ':other'

export interface AssignmentInput {
  site: Site
  hostname: string
  /** Id, or another name that only one source of the site has. */
  source: string
  /** `YYYY-MM-DD`, UTC: the source counts the host from this day on, also on days with an earlier assignment. */
  from: string
}

/** @throws Refusal invalid_input (no host of the site, no day, a day after tomorrow), not_found (no such source). */
export async function assignAuthority(
  { control, clock }: ControlContext,
  { site, hostname: given, source: text, from }: AssignmentInput,
): Promise<Assignment> {
  const hostname = hostOf(site, given)
  if (!isDay(from)) {
    throw new Refusal('invalid_input', `--from ${quoted(from)} is not a day: give a UTC day such as 2026-03-01`)
  }
  const latest = utcDay(clock.now() + DAY_MS)
  if (from > latest) {
    // A host that is assigned from a far future day counts nowhere until then, which a mistyped year must not cause.
    throw new Refusal(
      'invalid_input',
      `--from ${quoted(from)} lies in the future: give ${latest}, which is tomorrow, or an earlier UTC day`,
    )
  }
  return control.transaction(async (tx) => {
    const known = await readCoverageEvidence(tx, site.id)
    const source = await findSource(tx, text, site.id)
    const assigned_at = clock.now()
    await supersede(tx, { site_id: site.id, hostname, from }, assigned_at)
    return storeAssignment(tx, revisionOf(source, hostname, known), from, assigned_at)
  })
}

/** Supersedes the assignments of a host for a day and all later ones; their rows stay, as history. */
export async function supersede(
  tx: ControlTransaction,
  { site_id, hostname, from }: { site_id: string; hostname: string; from: string },
  superseded_at: number,
): Promise<void> {
  await tx
    .updateTable('authority_assignments')
    .set({ superseded_at })
    .where((is) => is.and({ site_id, hostname }))
    .where('effective_day', '>=', from)
    .where('superseded_at', 'is', null)
    .execute()
}

/** Stores a revision, unless it is known, and assigns its host to it. */
export async function storeAssignment(
  tx: ControlTransaction,
  promised: Omit<ContractRevisionRow, 'created_at'>,
  effective_day: string,
  assigned_at: number,
): Promise<Assignment> {
  const { site_id, hostname } = promised
  await tx
    .insertInto('contract_revisions')
    .values({ ...promised, created_at: assigned_at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx
    .insertInto('authority_assignments')
    .values({
      id: randomUUID(),
      site_id,
      hostname,
      revision_id: promised.id,
      effective_day,
      assigned_at,
      superseded_at: null,
    })
    .execute()
  const revision = await tx
    .selectFrom('contract_revisions')
    .selectAll()
    .where('id', '=', promised.id)
    .executeTakeFirstOrThrow()
  return { hostname, effective_day, assigned_at, revision }
}

/** A revision that is to count its host from a day on. */
export interface PlannedAssignment {
  revision: Omit<ContractRevisionRow, 'created_at'>
  /** `YYYY-MM-DD`, UTC. */
  effective_day: string
}

/** Rows of one statement. */
const ROWS_AT_ONCE = 50

/** Stores many assignments, some in each statement. Other work of this process may run between two statements. */
export async function storeAssignments(
  tx: ControlTransaction,
  planned: readonly PlannedAssignment[],
  assigned_at: number,
): Promise<Assignment[]> {
  const made: Assignment[] = []
  for (let at = 0; at < planned.length; at += ROWS_AT_ONCE) {
    const some = planned.slice(at, at + ROWS_AT_ONCE)
    await yieldToEventLoop()
    await tx
      .insertInto('contract_revisions')
      .values(some.map(({ revision }) => ({ ...revision, created_at: assigned_at })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const rows = some.map(({ revision, effective_day }) => ({
      id: randomUUID(),
      site_id: revision.site_id,
      hostname: revision.hostname,
      revision_id: revision.id,
      effective_day,
      assigned_at,
      superseded_at: null,
    }))
    await tx.insertInto('authority_assignments').values(rows).execute()
    const ids = some.map(({ revision }) => revision.id)
    const stored = await tx.selectFrom('contract_revisions').selectAll().where('id', 'in', ids).execute()
    const by_id = new Map(stored.map((revision) => [revision.id, revision]))
    for (const { hostname, effective_day, revision_id } of rows) {
      made.push({ hostname, effective_day, assigned_at, revision: by_id.get(revision_id) as ContractRevisionRow })
    }
  }
  return made
}

function hostOf(site: Site, given: string): string {
  const host = given === OTHER_HOSTS ? given : normalizeHost(given)
  if (host === null) {
    throw new Refusal('invalid_input', `${quoted(given)} is not a host name: give one such as www.${site.root_domain}`)
  }
  if (host !== OTHER_HOSTS && !belongsTo(host, site.root_domain)) {
    throw new Refusal('invalid_input', `${host} does not belong to ${site.root_domain}: give a host of this site`)
  }
  return host
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
