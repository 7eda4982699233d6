/** Standard input as the launcher hands it over, and as a process without a launcher has it. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { history } from '#demo/history.ts'
import { preparedFolder, runJson } from '../support/cli.ts'
import { runProcess, serveProcess } from '../support/processes.ts'

const day = (date: string) =>
  history()
    .on(date)
    .humans()
    .crawler('gptbot')
    .requests(3, { path: `/${date}` })

test('input piped into the process is not read as rows: the engine never sees it', async () => {
  const work = await preparedFolder()
  await runJson(['site', 'add', 'example.com', '--data', work.data])
  writeFileSync(work.file('a.log'), day('2026-03-01').text())
  const input = day('2026-03-02').text()
  const args = ['import', work.file('a.log'), '--site', 'example.com', '--data', work.data, '--json']
  for (const bare of [true, false]) {
    const ended = await runProcess(args, { input, bare })
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toMatchObject({ lines: 148, stored: bare ? 3 : 0, duplicates: bare ? 0 : 3 })
  }
  const server = await serveProcess(work.data, [], { input })
  expect(await runJson(args.slice(0, -1))).toMatchObject({ stored: 0, duplicates: 3 })
  expect(server.stderr()).not.toMatch(/"level":"(error|fatal)"/)
})

test.each([
  ['through the launcher', false],
  ['without it', true],
])('a whole file on standard input is read %s', async (_how, bare) => {
  const { data } = await preparedFolder()
  const [first] = builtInDocument.entries
  const twice = JSON.stringify({ ...builtInDocument, version: '2099-01-01.1', entries: [first, first] })
  expect(await runProcess(['registry', 'update', '-', '--data', data], { input: twice, bare })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The crawler_id \S+ occurs twice/),
  })
})
