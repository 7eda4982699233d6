import type { DerivedKind } from '#control/tables.ts'
import type { DayMark } from './dirty-days.ts'

/** Why a day was derived again: new evidence, retention, a restored backup, an outdated layout, or a definition. */
export type DerivedCause = 'evidence' | 'retention' | 'restore' | 'layout' | 'definition'

/** A day that was derived again, so that its earlier build is retired. */
export interface DayDerived {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  kind: DerivedKind
  cause: DerivedCause
}

const OTHER_CAUSES = ['retention', 'restore', 'layout'] as const

/** The cause of a build with these marks: evidence if any mark is of evidence. Definitions have no marks. */
export function causeOf(marks: readonly DayMark[]): DerivedCause {
  if (marks.length === 0) return 'definition'
  const others = marks.map(({ cause }) => OTHER_CAUSES.find((other) => other === cause))
  return others.includes(undefined) ? 'evidence' : (others[0] ?? 'evidence')
}
