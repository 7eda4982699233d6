/** Moves that are finished or given up with settings that name other servers than those that hold the copy. */
import { join } from 'node:path'
import Type from 'typebox'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openPostgresControl } from '#control/postgres.ts'
import { connectClickHouse } from '#evidence/clickhouse/open.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import type { ServerEvidence } from '#evidence/store.ts'
import { claimTarget } from '#move/claim-target.ts'
import { giveUpMove } from '#move/give-up.ts'
import { finishHandOver } from '#move/move-installation.ts'
import { type MovePhase, type MoveState, readMoveState } from '#move/move-state.ts'
import { openTarget, type TargetSettings } from '#move/target.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { fakeClock } from '../support/clock.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'
import { configOf, makeTarget, openAt, type TestTarget } from '../support/moving.ts'
import { copyStore } from '../support/shared.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const clock = fakeClock('2026-03-10T12:00:00Z')

let folder: string
let target: TestTarget
let other: TestTarget
beforeEach(async () => {
  folder = makeTestFolder()
  await Promise.all([
    copyStore('evidence', join(folder, 'evidence')),
    copyStore('control.sqlite', join(folder, 'control.sqlite')),
  ])
  target = await makeTarget(join(folder, 'server'))
  other = await makeTarget(join(folder, 'other'))
  const installation = await openAt(configOf(folder), NOW)
  await runOperation(installation.operator, 'site.add', { domain: 'example.com' })
  await installation.close()
})
afterEach(async () => {
  await target.remove()
  await other.remove()
  removeTestFolder(folder)
})

interface MoveInput {
  /** Of the installation as it is. */
  database_url?: string | null
  /** Broken off when this phase begins. */
  until?: MovePhase
}

async function move(settings: TargetSettings, { database_url = null, until }: MoveInput = {}) {
  const installation = await openAt({ ...configOf(folder), database_url }, NOW)
  const stopping = new AbortController()
  const onProgress = ({ phase }: { phase: MovePhase }) => {
    if (phase === until) stopping.abort()
  }
  try {
    return await installation.moveTo(settings, { signal: stopping.signal, onProgress })
  } finally {
    await installation.close()
  }
}

const stateNow = (): MoveState => readMoveState(folder) as MoveState

/** Until it is dropped, no statement may delete a setting: a move breaks off between its mark and its end. */
async function keepMark(): Promise<() => Promise<unknown>> {
  const control = await openPostgresControl(target.settings.database_url as string)
  await control.close()
  await target.execute(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF OLD.name = 'moving_from' AND EXISTS (SELECT 1 FROM accounts) THEN RAISE 'kept'; END IF; RETURN OLD; END $$`)
  await target.execute('CREATE TRIGGER keep BEFORE DELETE ON settings FOR EACH ROW EXECUTE FUNCTION keep()')
  return () => target.execute('DROP FUNCTION keep CASCADE')
}

const mark = () => target.execute("SELECT value FROM settings WHERE name = 'moving_from'")

test('a move that broke off after its mark is finished on the servers that hold the copy, and on no others', async () => {
  const loosen = await keepMark()
  await expect(move(target.settings)).rejects.toThrow()
  const broken = stateNow()
  expect(broken.phase).toBe('handing_over')
  await loosen()
  const finish = (settings: Partial<TargetSettings>) =>
    finishHandOver(folder, clock, { ...target.settings, ...settings }, broken)
  await expect(finish({ database_url: other.settings.database_url })).rejects.toThrow(
    `Set SPOOR_DATABASE_URL as before, to ${broken.to_control}`,
  )
  await expect(finish({ clickhouse: other.settings.clickhouse })).rejects.toThrow(
    `Set SPOOR_CLICKHOUSE_URL as before, to ${broken.to_evidence}`,
  )
  await expect(finish({ clickhouse: null })).rejects.toThrow('set SPOOR_CLICKHOUSE_URL as before')
  expect(stateNow().phase).toBe('handing_over')
  expect(await mark()).toHaveLength(1)
  expect(await finish({})).toEqual(broken.report)
  expect(await mark()).toEqual([])
  expect(stateNow().phase).toBe('moved')
  const moved = await openAt(configOf(folder, target), NOW)
  onTestFinished(() => moved.close())
  expect((await moved.control.db.selectFrom('sites').select('root_domain').execute()).length).toBe(1)
})

const agents = rows(Type.Object({ rows: count() }))`SELECT count() AS rows FROM spoor.agents`

test('a copy of only the evidence is deleted when the move is given up', async () => {
  const { database_url } = target.settings
  await move({ ...target.settings, clickhouse: null })
  await expect(move(target.settings, { database_url, until: 'catching_up' })).rejects.toThrow()
  expect(stateNow()).toMatchObject({ moves_control: false, moves_evidence: true })
  const server = connectClickHouse(target.settings.clickhouse?.urls[0] as string, null).store
  onTestFinished(() => server.close())
  await server.run(sql`INSERT INTO spoor.agents (agent_key, user_agent) SELECT 1, 'copied'`)
  const giveUp = (settings: Partial<TargetSettings>) => giveUpMove(folder, clock, { ...target.settings, ...settings })
  await expect(giveUp({ clickhouse: null })).rejects.toThrow('set SPOOR_CLICKHOUSE_URL as before')
  await expect(giveUp({ clickhouse: other.settings.clickhouse })).rejects.toThrow('not those that hold the copy')
  await giveUp({})
  expect(await server.all(agents)).toEqual([{ rows: 0 }])
  // The control store, which had moved before, is as it was.
  expect(await target.execute('SELECT root_domain FROM sites')).toHaveLength(1)
})

test('a database without a copy is not reported as emptied', async () => {
  const settings = { ...target.settings, clickhouse: null }
  await expect(move(settings, { until: 'read_only' })).rejects.toThrow()
  const { to_control } = stateNow()
  await expect(giveUpMove(folder, clock, { ...settings, database_url: other.settings.database_url })).rejects.toThrow(
    `Set SPOOR_DATABASE_URL as before, to ${to_control}`,
  )
  await giveUpMove(folder, clock, settings)
  expect(await mark()).toEqual([])
})

test('rows that a broken copy has stored need no more space, and no single server of a cluster must have room for all', async () => {
  const evidence_id = crypto.randomUUID()
  const moves = { moves_control: true, moves_evidence: true, evidence_id, to_evidence: null, to_control: null }
  const opened = await openTarget(target.settings, moves, null)
  onTestFinished(() => opened.close())
  const evidence = opened.evidence as ServerEvidence
  const free = 1_000_000
  const tight = new Proxy(evidence, {
    get(store, name) {
      const value = Reflect.get(store, name, store)
      if (name !== 'all') return typeof value === 'function' ? value.bind(store) : value
      return async (...asked: Parameters<ServerEvidence['all']>) => {
        const found = await store.all(...asked)
        const is_free = found.length === 1 && Object.keys(found[0] as object).join() === 'bytes'
        return is_free ? [{ bytes: free }] : found
      }
    },
  })
  const claim = (bytes: number, is_cluster = false) =>
    claimTarget({ ...opened, control: null, evidence: tight, is_cluster }, evidence_id, bytes)
  await claim(0)
  await evidence.run(sql`INSERT INTO spoor.agents (agent_key, user_agent)
    SELECT cityHash64(number), toString(cityHash64(number, 1)) FROM numbers(10000)`)
  const [stored] = await evidence.all(rows(Type.Object({ bytes: count() }))`
    SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = 'spoor' AND table = 'agents' AND active`)
  const bytes = stored?.bytes ?? 0
  expect(bytes).toBeGreaterThan(50_000)
  await claim(free + bytes)
  await expect(claim(free + 2 * bytes)).rejects.toThrow(
    /977 KiB free, and the evidence that is still to be copied takes/,
  )
  await claim(free + 2 * bytes, true)
})
