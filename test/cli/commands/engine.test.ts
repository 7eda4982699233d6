import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preparedFolder, run, runJson } from '../../support/cli.ts'

test('an engine gets its key from a file, a budget in dollars, and no scan without a question', async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  const file = join(data, 'openai.key')
  await writeFile(file, 'sk-of-a-test-key\n')

  const given = await run(['engine', 'set-key', 'chatgpt', '--key-file', file, ...here])
  expect(given.stdout).toMatch(/^chatgpt \(openai\): on$/m)
  expect(given.stdout + given.stderr).not.toContain('sk-of')
  const budget = ['engine', 'budget', 'chatgpt', '--dollars', '7.50', '--calls', '40', ...here]
  expect(await runJson(budget)).toMatchObject({ month: { budget_micros: 7_500_000, budget_calls: 40 } })
  const listed = await run(['engine', 'list', ...here])
  expect(listed.stdout).toMatch(/^chatgpt +on +gpt-5-mini +0 of 40 +\$0\.00 of \$7\.50 +about \$0\.03575$/m)
  expect(listed.stdout).toMatch(/^gemini +off/m)

  await run(['brand', 'add', 'Brotwerk', ...here])
  const scan = await run(['scan', 'start', '--brand', 'Brotwerk', ...here])
  expect([scan.code, scan.stderr]).toEqual([1, expect.stringContaining('needs an active question')])
  const scheduled = await run(['scan', 'schedule', '--brand', 'Brotwerk', '--hour', '6', '--runs', '2', ...here])
  expect(scheduled.stdout).toMatch(/^Daily within hour 6 UTC, each question 2 times of each engine; next at 20/)
  const paused = await run(['scan', 'schedule', 'pause', '--brand', 'Brotwerk', ...here])
  expect(paused.stdout).toMatch(/^Daily scans are paused/)
})

test('before an engine judges sentiment, the command says that whole answers leave the machine', async () => {
  const { data } = await preparedFolder()
  const unanswered = await run(['engine', 'sentiment', 'claude', '--data', data])
  expect(unanswered).toMatchObject({ code: 1, stdout: '' })
  expect(unanswered.stderr).toContain(
    'The whole text of each answer that names a brand or competitor is sent to claude, one call for each, except answers of gemini and of engines that are only imported.',
  )
})
