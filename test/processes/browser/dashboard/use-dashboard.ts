/** What each file of dashboard tests begins and ends with. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, findSubjects, type Subjects } from './addresses.ts'
import { type OpenedDashboard, openDashboard } from './open.ts'

interface UsedDashboard {
  /** Filled before the first test, like `subjects`. */
  dashboard: OpenedDashboard
  subjects: Subjects
  /** A path with the subjects in place of `$name`. */
  at(path: string): string
}

/** Opens the dashboard before the first test of the file and closes it after the last one. */
export function useDashboard(): UsedDashboard {
  const dashboard = {} as OpenedDashboard
  const subjects: Subjects = {}
  beforeAll(async () => {
    Object.assign(dashboard, await openDashboard())
    Object.assign(subjects, await findSubjects(dashboard))
  })
  afterAll(() => dashboard.close?.())
  return { dashboard, subjects, at: (path) => fill(path, subjects) }
}

/** Defines the last test of a file: what none of the pages that it opened may have done. */
export const testFaults = ({ dashboard }: UsedDashboard): void =>
  test('no request was sent to another origin, refused by the policy, or failed', () => {
    expect(dashboard.faults).toEqual({ foreign_requests: [], console_errors: [], thrown: [] })
  })
