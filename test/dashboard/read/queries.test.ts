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
