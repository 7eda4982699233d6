import { expect, test } from 'vitest'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'

test('issues are listed, and harm is marked as intended and revoked', async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  expect((await run(['issue', 'list', 'example.com', ...here])).stdout).toBe('No issue is recorded.\n')
  const marked = await run([
    ...['issue', 'intended', 'example.com', 'www.example.com', '/private/*', '--harm', 'refused'],
    ...['--crawler', 'gptbot', ...here],
  ])
  expect(marked.stdout).toMatch(/^Intended: refused for gptbot at www\.example\.com\/private\/\*\. Mark [\w-]{36}\n$/)
  const { marks } = await runJson(['issue', 'intended-list', 'example.com', ...here])
  const [mark] = marks as { id: string }[]
  const revoked = await run(['issue', 'intended-revoke', 'example.com', String(mark?.id), ...here])
  expect(revoked.stdout).toContain(`Revoked ${mark?.id}`)
  const missing = '3f2504e0-4f89-41d3-9a0c-0305e82c3309'
  for (const command of ['show', 'verify']) {
    const refused = await run(['issue', command, 'example.com', missing, ...here])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`no issue with the id "${missing}"`)
  }
  const stranger = await run([
    ...['issue', 'intended', 'example.com', 'www.example.com', '/', '--harm', 'refused', '--crawler', 'nobot', ...here],
  ])
  expect(stranger.stderr).toContain('no crawler "nobot"')
  const dotted = ['issue', 'intended', 'example.com', 'WWW.example.com.', '/dot', '--harm', 'refused', ...here]
  expect((await run(dotted)).stdout).toMatch(/^Intended: refused for every crawler at www\.example\.com\/dot\. /)
  const elsewhere = await run([
    ...['issue', 'intended', 'example.com', 'example.org', '/', '--harm', 'refused', ...here],
  ])
  expect(elsewhere.stderr).toContain('The host is "example.org"; allowed is example.com or a name below it')
})

test('under a simulated clock a verification says that nothing is inspected', async () => {
  const { data } = await preparedFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  await serve(data, ['--clock', '2026-03-08T12:00:00Z'])
  const issue = '3f2504e0-4f89-41d3-9a0c-0305e82c3309'
  const refused = await run(['issue', 'verify', 'example.com', issue, '--data', data])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/simulated clock \(--clock\), where no page is inspected.*start it without --clock/)
})

test('a text commands no terminal, and JSON holds it as it is', async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  const hostile = '/\u{9b}2J\u{202e}gpj'
  const mark = ['issue', 'intended', 'example.com', 'www.example.com', hostile, '--harm', 'refused', ...here]
  expect((await run(mark)).stdout).toContain('at www.example.com/\u{fffd}2J\u{fffd}gpj.')
  const { marks } = await runJson(['issue', 'intended-list', 'example.com', ...here])
  expect(JSON.stringify(marks)).toContain(hostile)
})
