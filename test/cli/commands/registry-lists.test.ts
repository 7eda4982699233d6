import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'

const LIST = JSON.stringify({
  creationTime: '2026-03-09T11:00:00.000000',
  prefixes: [{ ipv4Prefix: '20.125.66.80/28' }],
})

interface Shown {
  lists: { id: string; code: string; state: string; prefixes: number | null; published_at: string | null }[]
}

test('lists are imported and shown, with and without a server; nonsense is refused with its reason', async () => {
  const { data, file } = await preparedFolder()
  writeFileSync(file('gptbot.json'), LIST)
  const [by, list] = [
    ['--data', data],
    ['registry', 'lists', 'list', '--data', data],
  ]
  const imported = ['registry', 'lists', 'import', file('gptbot.json'), '--list', 'gptbot', ...by]
  expect(await runJson(imported)).toMatchObject({
    list_id: 'https://openai.com/gptbot.json',
    prefixes: 1,
    is_new: true,
  })
  await serve(data)
  expect(await runJson(imported)).toMatchObject({ is_new: false })
  const { lists } = await runJson<Shown>(list)
  expect(lists.find(({ id }) => id === 'https://openai.com/gptbot.json')).toMatchObject({
    state: 'in_force',
    prefixes: 1,
    published_at: '2026-03-09T11:00:00.000Z',
  })
  expect((await run(list)).stdout).toMatch(/8f2166ca4c {2}in_force {2}1 .* gptbot .*openai\.com\/gptbot\.json/)
  for (const [content, reason] of [
    ['0.0.0.0/0', /far too wide/],
    ['{}', /no field such as "prefixes"/],
    [LIST.replace('2026-03-09', '2026-03-08'), /older than the stored one/],
  ] as const) {
    writeFileSync(file('gptbot.json'), content)
    const refused = await run(imported)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) })
  }
  expect(await run([...imported.slice(0, 5), 'nobody', ...by])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/names no list nobody/),
  })
})

test('under a simulated clock no request is sent outside', async () => {
  const { data } = await preparedFolder()
  await serve(data, ['--clock', '2026-03-10T00:00:00Z'])
  for (const words of [
    ['lists', 'update'],
    ['update', 'https://127.0.0.1/registry.json'],
  ]) {
    expect(await run(['registry', ...words, '--data', data])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Under a simulated clock \(--clock\) Spoor sends no requests to other servers/),
    })
  }
})
