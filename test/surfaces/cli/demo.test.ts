import { expect, test } from 'vitest'
import { seedHistory } from '#demo/seed.ts'
import { start } from '../../support/cli.ts'

test('the same seed makes the same history, another seed another one', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  expect(seedHistory({ now, days: 20, seed: 3 })).toBe(seedHistory({ now, days: 20, seed: 3 }))
  expect(seedHistory({ now, days: 20, seed: 3 })).not.toBe(seedHistory({ now, days: 20, seed: 4 }))
})

test('spoor demo serves its history to the key it prints, and stops when asked', async () => {
  const demo = start(['demo', '--json', '--days', '12', '--clock', '2026-03-10T12:00:00Z'])
  const [text] = await demo.says(/\{[^}]*"stored": \d+\s*\}/)
  const shown = JSON.parse(text) as { url: string; key: string; stored: number }
  const answer = await fetch(
    `${shown.url}/v1/sites/example.com/performance?purpose=search,assistant,training,unknown`,
    {
      headers: { authorization: `Bearer ${shown.key}` },
    },
  )
  expect(await answer.json()).toMatchObject({
    observed_request_count: shown.stored,
    meta: { coverage_state: 'partial' },
  })
  demo.process.kill('SIGTERM')
  expect((await demo.ended).code).toBe(0)
})
