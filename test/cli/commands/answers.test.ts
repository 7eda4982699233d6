import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preparedFolder, run, runJson } from '../../support/cli.ts'

test('answers are imported from a file, and again without a change', async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  await run(['brand', 'add', 'Brotwerk', '--domain', 'example.com', ...here])
  const file = join(data, 'answers.jsonl')
  const answer = {
    question: 'Which bakery?',
    engine: 'chatgpt',
    asked_at: '2026-02-20',
    state: 'answered',
    text: 'Brotwerk.',
    tags: Array.from({ length: 11 }, (_, index) => `tag ${index}`),
  }
  const refused = { ...answer, engine: 'deepseek' }
  await writeFile(file, [answer, refused].map((each) => JSON.stringify(each)).join('\n'))
  const load = ['answers', 'import', file, '--brand', 'Brotwerk', ...here]

  const unknown = await run(load)
  expect(unknown.stdout).toMatch(/^2 records: 0 stored, 0 replaced, 0 stored before, 2 refused$/m)
  expect(unknown.stdout).toMatch(/repeat the import with --create-questions\.$/m)
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Every record was refused')])
  const first = await run([...load, '--create-questions'])
  expect(first.stdout).toMatch(/^2 records: 1 stored, 0 replaced, 0 stored before, 1 refused$/m)
  expect(first.code).toBe(0)
  expect(first.stdout).not.toContain('--create-questions')
  expect(first.stdout).toMatch(/^Questions created: 1 active, 0 archived$/m)
  expect(first.stdout).toMatch(/^Tags left out: 1\. A question keeps its first 10 tags\.$/m)
  expect(first.stdout).toMatch(/^2 +unknown_engine +engine is "deepseek"/m)
  expect(await runJson(load)).toMatchObject({
    stored: 0,
    duplicates: 1,
    refused: [{ place: 2, code: 'unknown_engine' }],
  })

  const nameless = await run(['answers', 'import', '-', '--brand', 'Brotwerk', ...here])
  expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringContaining('add --format json, ndjson or csv')])
})
