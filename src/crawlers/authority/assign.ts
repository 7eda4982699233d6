/** Who counts which host from which day on: by the owner's word, by opening the gate, or because a source's promise changed (decisions 3.8). */
import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { ContractRevisionRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'
import type { Site } from '#sites/site.ts'
import { readWatchedEvidence } from '../coverage/site-coverage.ts'
import { findSource } from '../sources/find-source.ts'
import { revisionOf } from './promise.ts'
import type { Assignment } from './read-authority.ts'

/** Hosts beyond the limit of a site share this name (rules 3). */
const OTHER_HOSTS = ':other'

export interface AskedAssignment {
  site: Site
  hostname: string
  /** Id, or another name that only one source of the site has. */
  source: string
  /** `YYYY-MM-DD`, UTC: the source counts the host from this day on, whatever was decided before for later days. */
  from: string
}

/** @throws Refusal invalid_input (no host of the site, no day), not_found (no such source). */
export async function assignAuthority(
  { control, clock }: { control: ControlStore; clock: Clock },
  { site, hostname: given, source: text, from }: AskedAssignment,
): Promise<Assignment> {
  const hostname = hostOf(site, given)
  if (!isDay(from)) {
    throw new Refusal('invalid_input', `--from ${from} is no day: give a UTC day such as 2026-03-01`)
  }
  return control.transaction(async (tx) => {
    const known = await readWatchedEvidence(tx, site.id)
    const source = await findSource(tx, site.id, text)
    const assigned_at = clock.now()
    await supersede(tx, { site_id: site.id, hostname, from }, assigned_at)
    return storeAssignment(tx, revisionOf(source, hostname, known.intervals), from, assigned_at)
  })
}

/** Takes back what was decided for a host for a day and all later ones; the rows stay, as history. */
export async function supersede(
  tx: ControlTransaction,
  { site_id, hostname, from }: { site_id: string; hostname: string; from: string },
  superseded_at: number,
): Promise<void> {
  await tx
    .updateTable('authority_assignments')
    .set({ superseded_at })
    .where('site_id', '=', site_id)
    .where('hostname', '=', hostname)
    .where('effective_day', '>=', from)
    .where('superseded_at', 'is', null)
    .execute()
}

/** Stores the revision, unless it is known, and the assignment of its host to it. */
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
      ...{ id: randomUUID(), site_id, hostname, revision_id: promised.id },
      ...{ effective_day, assigned_at, superseded_at: null },
    })
    .execute()
  const revision = await tx
    .selectFrom('contract_revisions')
    .selectAll()
    .where('id', '=', promised.id)
    .executeTakeFirstOrThrow()
  return { hostname, effective_day, assigned_at, revision }
}

function hostOf(site: Site, given: string): string {
  const host = given === OTHER_HOSTS ? given : normalizeHost(given)
  if (host === null) {
    throw new Refusal('invalid_input', `${given} is not a host name: give one such as www.${site.root_domain}`)
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
