import { describe, expect, test } from 'vitest'
import { may, PERMISSIONS } from '#accounts/roles.ts'
import type { SitePermission } from '#contract/permissions.ts'
import { ROLES, type Role } from '#contract/vocabulary.ts'

/** The table of decisions 2, cell by cell: viewer, editor, owner. */
const TABLE: Record<SitePermission, readonly [viewer: boolean, editor: boolean, owner: boolean]> = {
  read: [true, true, true],
  import_logs: [false, true, true],
  edit_definitions: [false, true, true],
  edit_questions: [false, true, true],
  act_on_fixes: [false, true, true],
  manage_sources: [false, false, true],
  manage_keys: [false, false, true],
  switch_tracker: [false, false, true],
  manage_members: [false, false, true],
  choose_primary: [false, false, true],
  assign_authority: [false, false, true],
  set_gates: [false, false, true],
  set_retention: [false, false, true],
  set_privacy_floor: [false, false, true],
  set_opt_out: [false, false, true],
  rename_site: [false, false, true],
  delete_site: [false, false, true],
  export_site: [false, false, true],
  verify_fixes: [false, false, true],
  mark_intended: [false, false, true],
  manage_alerts: [false, false, true],
}
const COLUMNS = ['viewer', 'editor', 'owner'] as const satisfies readonly Role[]

describe('what a role may do (decisions 2)', () => {
  test('the table has every permission and every role', () => {
    expect(Object.keys(PERMISSIONS).sort()).toEqual(Object.keys(TABLE).sort())
    expect([...COLUMNS].sort()).toEqual([...ROLES].sort())
  })

  const cells = Object.entries(TABLE).flatMap(([permission, row]) =>
    COLUMNS.map((role, column) => [role, row[column] ? 'may' : 'may not', permission as SitePermission] as const),
  )
  test.each(cells)('%s %s %s', (role, says, permission) => {
    expect(may(role, permission)).toBe(says === 'may')
  })
})
