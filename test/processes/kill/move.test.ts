/** A move that is ended by kill -9 in every phase, and gone on with (decisions 8.2). */
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { history } from '#demo/history.ts'
import type { MovePhase } from '#move/move-state.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { startChild } from '../../support/child.ts'
import { run } from '../../support/cli.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { configOf, everyAnswer, KEY, makeSecrets, makeTarget, openAt } from '../../support/moving.ts'
import { copyStore } from '../../support/shared.ts'

const NOW = Date.now()
const CHILD = new URL('../../move/move-and-die.child.ts', import.meta.url)
const DAY = new Date(NOW - 3 * 86_400_000).toISOString().slice(0, 10)

const KILLS: readonly [MovePhase, string][] = [
  ['copying', 'requests'],
  ['verifying', 'pages'],
  ['catching_up', 'events'],
  ['read_only', 'search_rows'],
  ['handing_over', ''],
]

test('killed at any moment, it continues; before the mark the folder serves, after it only the servers', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await Promise.all([
    copyStore('evidence', join(folder, 'evidence')),
    copyStore('control.sqlite', join(folder, 'control.sqlite')),
  ])
  const target = await makeTarget(join(folder, 'server'))
  onTestFinished(() => target.remove())
  const old = await openAt(configOf(folder), NOW)
  await runOperation(old.operator, 'site.add', { domain: 'example.com' })
  const text = history().on(DAY).humans().crawler('gptbot').requests(500).text()
  const asked = { site: 'example.com', host: null, label: 'a.log' }
  await old.importLog(asked, Readable.from([Buffer.from(text, 'latin1')]), () => {})
  const secrets = await makeSecrets(old)
  const before = await everyAnswer(old, secrets)
  await old.close()

  for (const [phase, table] of KILLS) {
    const child = startChild(CHILD, folder, KEY, JSON.stringify(target.settings), phase, table)
    const [code, signal] = await once(child.process, 'close')
    expect([code, signal], `${phase} ${table}: ${child.complaints()}`).toEqual([null, 'SIGKILL'])
  }
  await expect(openAt(configOf(folder), NOW)).rejects.toThrow('being handed over')
  await expect(openAt(configOf(folder, target), NOW)).rejects.toThrow('being handed over')
  const env = {
    SPOOR_SECRET_KEY: KEY,
    SPOOR_DATABASE_URL: target.settings.database_url as string,
    SPOOR_CLICKHOUSE_URL: target.settings.clickhouse?.urls[0] as string,
  }
  expect(await run(['migrate-to', '--give-up', '--data', folder], { env })).toMatchObject({ code: 1 })
  const finished = await run(['migrate-to', '--data', folder], { env })
  expect(finished.stdout).toMatch(/Evidence moved to http.*none differs[\s\S]*Control store moved to postgres/)
  expect(await run(['migrate-to', '--status', '--data', folder], { env })).toMatchObject({ code: 0 })

  await expect(openAt(configOf(folder), NOW)).rejects.toThrow('have moved to')
  const moved = await openAt(configOf(folder, target), NOW)
  const after = await everyAnswer(moved, secrets)
  await moved.close()
  for (const [name, answer] of before) expect(after.get(name), name).toEqual(answer)
}, 300_000)
