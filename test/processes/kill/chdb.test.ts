import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { readMigrations } from '#evidence/migrate.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { fact } from '../../evidence/facts.ts'
import { startChild } from '../../support/child.ts'

const OPEN = new URL('../../evidence/children/open.ts', import.meta.url)
const INSERT = new URL('../../evidence/children/insert.ts', import.meta.url)
const Count = Type.Object({ n: count() })
const endless = rows(Count)`SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) = 1`

let folder: string
let store: EvidenceStore | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spoor-evidence-'))
  store = undefined
})
afterEach(async () => {
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(): Promise<EvidenceStore> {
  store = await openChdb({ folder, memory_mb: 1_024 })
  return store
}

describe('acknowledged means durable', () => {
  test('kill -9 in the middle of inserts loses nothing acknowledged, and a retry doubles nothing', {
    timeout: 180_000,
  }, async () => {
    let batches = 0
    for (const until of [5, 12, 9]) {
      const child = startChild(INSERT, folder)
      while (Number(await child.line()) < until) batches = Math.max(batches, until)
      await child.kill()
    }
    const opened = await open()
    const stored = rows(Type.Object({ events: count(), facts: count() }))`
      SELECT uniqExact(event) AS events, (SELECT count() FROM spoor.requests FINAL) AS facts FROM spoor.requests`
    const [after] = await opened.all(stored)
    const events = after === undefined ? Number.NaN : after.events
    expect(events).toBeGreaterThanOrEqual((batches + 1) * 500)
    expect(events % 500, 'a batch of one month is stored whole or not at all').toBe(0)
    expect(after).toEqual({ events, facts: events })
  })

  test('kill -9 while the tables are made is mended by the next start', { timeout: 180_000 }, async () => {
    for (const wait of [0, 60, 90, 120, 150, 180]) {
      const child = startChild(OPEN, folder, 'hold')
      await child.line()
      await pause(wait)
      await child.kill()
      const opened = await open()
      await opened.insert('requests', jsonRows([fact({ event: String(wait) })]), 1)
      expect(await opened.all(rows(Count)`SELECT count() AS n FROM system.tables WHERE database = 'spoor'`)).toEqual([
        { n: 24 },
      ])
      await opened.close()
    }
    const opened = await open()
    expect(await opened.all(rows(Count)`SELECT count() AS n FROM spoor.requests FINAL`)).toEqual([{ n: 6 }])
  })
})

describe('a crash inside the process ends it', () => {
  // The engine's own handler would keep the process for 300 s: the test would run out of time.
  test.each([
    ['SIGSEGV', 'SIGSEGV'],
    ['SIGBUS', 'SIGBUS'],
    ['SIGILL', 'SIGILL'],
    ['abort', 'SIGABRT'],
  ])('%s', async (how, signal) => {
    const child = startChild(OPEN, folder, how)
    const [, ended_by] = await once(child.process, 'exit')
    expect(ended_by).toBe(signal)
  })
})

describe('one process per folder', () => {
  test('a second process is refused, with what to do', async () => {
    const child = startChild(OPEN, folder, 'hold')
    while ((await child.line()) !== 'open');
    await expect(open()).rejects.toMatchObject({
      kind: 'locked',
      message: `Another Spoor process (${child.process.pid}) uses ${folder}: stop it, or choose another folder with --data.`,
    })
    await child.kill()
    await (await open()).ping()
  })

  test('a second store of this process is refused, until the first is closed', async () => {
    const first = await open()
    await expect(openChdb({ folder: `${folder}/other` })).rejects.toMatchObject({ kind: 'locked' })
    await expect(openChdb({ folder })).rejects.toMatchObject({ kind: 'locked' })
    await first.close()
    await (await open()).ping()
  })

  test('a folder that cannot be used is refused, with what to do', async () => {
    await expect(openChdb({ folder: '/proc/self/fd' })).rejects.toMatchObject({ kind: 'unavailable' })
    await (await open()).ping()
  })
})

describe('layouts', () => {
  test('a folder written by a newer Spoor is refused, with what to do, and not changed', async () => {
    const shipped = await readMigrations()
    const version = shipped.length + 1
    const newer = {
      version,
      text: 'CREATE TABLE IF NOT EXISTS spoor.later (a UInt8) ENGINE = {{engine MergeTree}} ORDER BY a;',
    }
    const later = await openChdb({ folder, migrations: [...shipped, newer] })
    await later.close()
    await expect(open()).rejects.toMatchObject({
      kind: 'newer_schema',
      message: expect.stringMatching(
        new RegExp(`has layout ${version}, this Spoor knows layouts up to ${version - 1}\\. Run the newer Spoor`),
      ),
    })
    store = await openChdb({ folder, migrations: [...shipped, newer] })
    expect(await store.all(rows(Count)`SELECT count() AS n FROM spoor.later`)).toEqual([{ n: 0 }])
  })

  test('a step that failed halfway is run again from its beginning', async () => {
    const shipped = await readMigrations()
    const version = shipped.length + 1
    const half = 'CREATE TABLE IF NOT EXISTS spoor.later (a UInt8) ENGINE = {{engine MergeTree}} ORDER BY a;\n'
    const broken = { version, text: `${half}ALTER TABLE spoor.no_such_table DROP COLUMN a;` }
    await expect(openChdb({ folder, migrations: [...shipped, broken] })).rejects.toMatchObject({ kind: 'bug' })
    store = await openChdb({ folder, migrations: [...shipped, { version, text: half }] })
    expect(await store.all(rows(Count)`SELECT max(version) AS n FROM spoor.schema_versions`)).toEqual([{ n: version }])
  })
})

describe('closing', () => {
  test('close returns quickly while a query runs, and answers those who wait', async () => {
    const opened = await open()
    const reads = Array.from({ length: 9 }, () => opened.all(endless, { max_seconds: 500 }))
    const writes = Array.from({ length: 3 }, () =>
      opened.run(
        sql`INSERT INTO spoor.schema_versions SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 1`,
      ),
    )
    const ended = Promise.allSettled([...reads, ...writes])
    await pause(100)
    await opened.close()
    for (const end of await ended) expect(end).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } })
  })

  test('a closed store refuses everything and may be closed again', async () => {
    const opened = await open()
    await opened.close()
    await opened.close()
    await expect(opened.ping()).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(opened.run(sql`SELECT 1`)).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(opened.insert('agents', jsonRows([]), 0)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('closes every session, so that the process ends by itself and cleanly', async () => {
    const child = startChild(OPEN, folder, 'close')
    expect(await once(child.process, 'exit')).toEqual([0, null])
  })
})
