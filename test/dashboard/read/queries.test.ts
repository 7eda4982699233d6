import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueries, readQuery } from '../../../dashboard/read/queries.ts'

afterEach(() => vi.unstubAllGlobals())

test('a read that was refused with 503 stays refused while it is repeated', async () => {
  const answers = [new Response('{"code":"rebuilding"}', { status: 503 }), new Response('{"questions":3}')]
  vi.stubGlobal('fetch', () => Promise.resolve(answers.shift()))
  const observer = new QueryObserver(createQueries(), { ...readQuery('getPlan', {}), refetchInterval: false })
  const seen: string[] = []
  // React draws after all that happened in one turn.
  const end = observer.subscribe(() => queueMicrotask(() => seen.push(observer.getCurrentResult().status)))
  await vi.waitFor(() => expect(observer.getCurrentResult().status).toBe('error'))
  seen.length = 0
  void observer.refetch()
  await vi.waitFor(() => expect(observer.getCurrentResult().status).toBe('success'))
  end()
  expect(seen).not.toContain('pending')
})

test('an answer about a window with the running day is read again each minute, others are not', () => {
  const { refetchInterval } = readQuery('getTrackerCoverage', { site: 'a', window: '3d' })
  const intervalOf = (data: object) =>
    (refetchInterval as unknown as (query: object) => number | false)({ state: { data, error: null } })
  const as_of = '2026-11-21T08:14:00Z'
  const [open, closed] = ['2026-11-21', '2026-11-20'].map((to) => ({ as_of, window: { from: '2026-11-01', to } }))
  expect([{ meta: open }, { ...open, days: [] }].map(intervalOf)).toEqual([60_000, 60_000])
  expect([{ meta: closed }, { ...closed, days: [] }, { as_of }, { meta: { as_of } }, {}].map(intervalOf)).toEqual([
    ...[false, false, false, false, false],
  ])
})
