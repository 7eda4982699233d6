import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { differenceWords, rereadOlder } from '../../../dashboard/read/same-evidence.ts'
import { meta } from '../support/answers.ts'

const newer = meta({ registry_version: '2026-11-19.1', as_of: '2026-11-21T08:14:03.000Z' })

test('panels differ by registry or by their totals', () => {
  expect(differenceWords([meta(), undefined, meta()], [12, undefined, 12])).toBeNull()
  expect(differenceWords([meta(), newer])).toBe('Panels were read 3 s apart.')
  expect(differenceWords([meta(), meta()], [12, 13])).toBe('Panels were read 1 s apart.')
  expect(differenceWords([meta(), meta()], [12, null])).toBe('Panels were read 1 s apart.')
})

test('the older answers are read again, and only those', async () => {
  const queries = new QueryClient()
  const asked: string[] = []
  const answers = { older: { meta: meta() }, newer: { meta: newer }, other: { meta: meta() } }
  const ended = Object.entries(answers).map(([name, answer]) => {
    queries.setQueryData([name], answer)
    const queryFn = () => {
      asked.push(name)
      return Promise.resolve(answer)
    }
    return new QueryObserver(queries, { queryKey: [name], queryFn, staleTime: 60_000 }).subscribe(() => {})
  })
  rereadOlder(queries, [answers.older.meta, answers.newer.meta, undefined])
  await expect.poll(() => asked).toEqual(['older'])
  for (const end of ended) end()
  queries.clear()
})
