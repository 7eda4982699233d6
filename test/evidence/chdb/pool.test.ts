import { expect, test } from 'vitest'
import { SessionPool } from '#evidence/chdb/pool.ts'
import type { ChdbSession } from '#evidence/chdb/session.ts'

test('urgent work gets the next free session, before all other work that waits', async () => {
  const session = {} as ChdbSession
  const pool = new SessionPool([session])
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const ran: string[] = []
  const work = (name: string) => async () => void ran.push(name)
  const all = [
    pool.with(() => ended),
    pool.with(work('first')),
    pool.with(work('second')),
    pool.with(work('urgent'), { is_urgent: true }),
  ]
  end()
  await Promise.all(all)
  expect(ran).toEqual(['urgent', 'first', 'second'])
})
