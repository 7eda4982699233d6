/** The newest revision of each definition: the one in force, or the last one of an archived definition. */

import { compareText } from '#compare-text.ts'
import type { ControlDb } from '#control/store.ts'
import { quoted } from '#foreign-text.ts'
import { plainName } from '#names.ts'
import { nameSome } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import {
  type ConversionRevision,
  type FunnelRevision,
  findConversionRevisions,
  findFunnelRevisions,
} from './definitions.ts'

/** The newest revision of each conversion of a site, active ones first, then by name. */
export async function findLatestConversions(db: ControlDb, site_id: string): Promise<ConversionRevision[]> {
  return latest(await findConversionRevisions(db, site_id), (row) => row.conversion_id)
}

/** The newest revision of each funnel of a site, active ones first, then by name. */
export async function findLatestFunnels(db: ControlDb, site_id: string): Promise<FunnelRevision[]> {
  return latest(await findFunnelRevisions(db, site_id), (row) => row.funnel_id)
}

interface Named {
  name: string
  revision: number
  archived_at: number | null
}

function latest<Row extends Named>(rows: Row[], idOf: (row: Row) => string): Row[] {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const known = newest.get(idOf(row))
    if (known === undefined || known.revision < row.revision) newest.set(idOf(row), row)
  }
  return [...newest.values()].sort(
    (a, b) =>
      Number(a.archived_at !== null) - Number(b.archived_at !== null) ||
      compareText(a.name, b.name) ||
      compareText(idOf(a), idOf(b)),
  )
}

/**
 * Finds the definition with this id, slug or name, or with a slug that begins with `text`. If several have the name,
 * the active one is meant.
 * @throws Refusal not_found, conflict (several archived ones have the name, or several slugs begin with `text`).
 */
export function pickDefinition<Row extends Named>(
  what: 'conversion' | 'funnel',
  rows: readonly Row[],
  { idOf, slugOf }: { idOf(row: Row): string; slugOf?(row: Row): string },
  text: string,
): Row {
  const given = text.toLowerCase()
  const byId = rows.find((row) => idOf(row) === given || slugOf?.(row) === given)
  if (byId !== undefined) return byId
  const [first, second] = rows.filter((row) => row.name === plainName(text))
  if (first === undefined) {
    const begun = slugOf === undefined ? null : pickByStart(what, rows, slugOf, text)
    if (begun !== null) return begun
    throw new Refusal('not_found', `No ${what} of the site is called ${quoted(text)}: {next} shows all of them.`, {
      next: { step: 'list_definitions', what },
    })
  }
  if (first.archived_at !== null && second !== undefined) {
    throw new Refusal('conflict', `Several archived ${what}s are called ${quoted(text)}: give the id of one.`)
  }
  return first
}

/**
 * Finds the definition whose slug begins with `text`; an active one takes precedence over archived ones. Null if there
 * is none. @throws Refusal conflict: several slugs begin with `text`.
 */
function pickByStart<Row extends Named>(
  what: string,
  rows: readonly Row[],
  slugOf: (row: Row) => string,
  text: string,
): Row | null {
  const start = text.toLowerCase()
  const begun = start === '' ? [] : rows.filter((row) => slugOf(row).startsWith(start))
  const active = begun.filter((row) => row.archived_at === null)
  const [first = null, second] = active.length > 0 ? active : begun
  if (second === undefined) return first
  throw new Refusal(
    'conflict',
    `Several ${what}s have a slug that begins with ${quoted(text)}: ${nameSome(begun.map(slugOf))}. Give more of the slug.`,
  )
}

/** Checks that a definition may be added. @throws Refusal conflict: `most` are active, or one of them has the name. */
export function refuseFurther(
  what: 'conversion' | 'funnel',
  rows: readonly Named[],
  { most, name }: { most: number; name: string },
): void {
  const active = rows.filter((row) => row.archived_at === null)
  if (active.length >= most) {
    throw new Refusal('conflict', `The site has ${most} active ${what}s, the most that it may have: archive one first.`)
  }
  refuseTaken(what, active, name)
}

/** @throws Refusal conflict: another active definition of the kind (not `own`) has the name. */
export function refuseTaken(what: 'conversion' | 'funnel', rows: readonly Named[], name: string, own?: Named): void {
  if (rows.some((row) => row !== own && row.archived_at === null && row.name === name)) {
    throw new Refusal(
      'conflict',
      `The site has an active ${what} called "${name}": choose another name, or edit that one.`,
    )
  }
}

/** @throws Refusal conflict: the definition is archived, or `revision`, on which the edit is based, is outdated. */
export function refuseStale(what: 'conversion' | 'funnel', row: Named, revision: number | undefined): void {
  if (row.archived_at !== null) {
    throw new Refusal('conflict', `The ${what} "${row.name}" is archived and cannot be changed: add a new one.`)
  }
  if (revision !== undefined && revision !== row.revision) {
    throw new Refusal(
      'conflict',
      `The ${what} "${row.name}" is at revision ${row.revision}, not ${revision}: read it again, then repeat the edit.`,
    )
  }
}
