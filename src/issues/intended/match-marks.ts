/** Whether the owner's marks of intended harm cover a harm (rules 8.1, Intended). */
import type { Harm } from '#contract/vocabulary.ts'
import type { IntendedMarkRow } from '#control/tables.ts'
import { coversPath } from '../unit.ts'

export interface MarkedHarm {
  host: string
  harm: Harm
  /** The pattern of a robots rule; null: the whole host, which a mark at any path covers. */
  path: string | null
  crawler_id: string | null
}

/** Whether a mark covers the harm. A mark of one crawler does not cover harm to several. */
export const coversHarm = (mark: IntendedMarkRow, { host, harm, path, crawler_id }: MarkedHarm): boolean =>
  mark.host === host &&
  mark.harm === harm &&
  (mark.crawler_id === null || mark.crawler_id === crawler_id) &&
  (path === null || mark.path_key === path || coversPath(mark.path_key, path))

/** Whether a mark in force covers the harm. */
export const isIntended = (marks: readonly IntendedMarkRow[], harm: MarkedHarm): boolean =>
  marks.some((mark) => mark.revoked_at === null && coversHarm(mark, harm))

/** The instant at which the last mark of the harm was revoked, epoch milliseconds; 0: none was. */
export const intendedUntil = (marks: readonly IntendedMarkRow[], harm: MarkedHarm): number =>
  Math.max(NEVER_REVOKED, ...marks.flatMap((mark) => (coversHarm(mark, harm) ? (mark.revoked_at ?? []) : [])))

const NEVER_REVOKED = 0
