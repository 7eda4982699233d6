/** A store of an older version gets roles in accounts: the first person of each becomes its admin. */
import { expect, onTestFinished, test } from 'vitest'
import { openTestControl } from '../../support/control.ts'
import { takeBackAccountApi } from './take-back.ts'

test('the first person of each account is its admin, all others are members, and accounts keep their access', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await takeBackAccountApi(store.execute)
  for (const account of ['a', 'b']) {
    await store.execute(
      `INSERT INTO accounts (id, name, status, access, created_at) VALUES ('${account}', 'A', 'active', 'trial', 1)`,
    )
  }
  const people = [
    "('late', 'a', NULL, 0, 30)",
    "('first', 'a', NULL, 0, 10)",
    "('op', 'a', NULL, 1, 20)",
    "('other', 'b', NULL, 0, 99)",
  ]
  await store.execute(`INSERT INTO users (id, account_id, email, is_operator, created_at) VALUES ${people.join(', ')}`)
  await store.control.close()
  const { db } = await store.open()
  const users = await db.selectFrom('users').select(['id', 'account_role']).orderBy('id').execute()
  expect(users.map(({ id, account_role }) => [id, account_role])).toEqual([
    ['first', 'admin'],
    ['late', 'member'],
    ['op', 'member'],
    ['other', 'admin'],
  ])
  const accounts = await db
    .selectFrom('accounts')
    .select(['access', 'access_ends_at', 'active_question_limit'])
    .execute()
  expect(accounts).toEqual(Array(2).fill({ access: 'trial', access_ends_at: null, active_question_limit: 100 }))
})
