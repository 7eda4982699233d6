import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import { playSite } from '../../cli/commands/demo-site.ts'
import { workFolder } from '../support/cli.ts'
import { runProcess, startProcess } from '../support/processes.ts'

test('spoor demo, stopped while its site still lives through its days, leaves nothing behind', async () => {
  const { folder } = workFolder()
  const demo = startProcess(['demo', '--days', '900', '--clock', '2026-03-10T12:00:00Z'], { env: { TMPDIR: folder } })
  await demo.says(/Generating 900 days of history/)
  demo.process.kill('SIGINT')
  expect((await demo.ended).code).toBe(0)
  expect(readdirSync(folder).filter((name) => name.startsWith('spoor-demo'))).toEqual([])
})

test('without a folder for temporary files the demo says how to name one', async () => {
  const ended = await runProcess(['demo'], { bare: true, env: { TMPDIR: '/dev/null/none' } })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(
    /^spoor: the demo cannot make its folder in \/dev\/null\/none \(ENOTDIR\): set TMPDIR .*\n$/,
  )
})

test('the demo leaves fixes of every kind, status and effect, made and judged as those of a service', {
  timeout: 300_000,
}, async () => {
  const { folder } = workFolder()
  const config = {
    ...readConfig({}),
    data: folder,
    database_url: null,
    clickhouse: null,
    metrics: null,
    smtp: null,
    port: 0,
  }
  const seed = { now: Date.parse('2026-11-22T12:00:00Z'), days: 46, seed: 1 }
  await playSite(config, seed, new AbortController().signal)
  const control = await openSqliteControl(join(folder, 'control.sqlite'))
  try {
    const fixes = await control.db.selectFrom('fixes').selectAll().execute()
    const all = (of: (fix: (typeof fixes)[number]) => string) => [...new Set(fixes.map(of))].sort()
    expect(all(({ kind, status }) => `${kind} ${status}`)).toEqual([
      ...['access accepted', 'access completed', 'access dismissed', 'access open'],
      ...['citation accepted', 'citation completed', 'citation dismissed', 'citation open'],
      ...['content completed', 'content dismissed', 'content open'],
    ])
    expect(all(({ subject }) => JSON.parse(subject)[0])).toEqual(['competitor_url', 'issue', 'own_url', 'question'])
    expect(all(({ verification }) => verification)).toEqual([
      ...['awaiting_evidence', 'improved', 'not_comparable', 'not_started', 'within_noise', 'worsened'],
    ])
    expect(fixes.some(({ replaces }) => replaces !== null)).toBe(true)
  } finally {
    await control.close()
  }
})
