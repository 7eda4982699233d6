import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { giveUpMove } from '#move/give-up.ts'
import { hasMoved, type MoveState, readMoveState, refuseMoved, writeMoveState } from '#move/move-state.ts'
import { fakeClock } from '../support/clock.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const clickhouse = { urls: ['http://ch:8123'], cluster: null }
const database_url = 'postgres://db/spoor'
const embedded = { database_url: null, clickhouse: null }

const BEGUN: MoveState = {
  evidence_id: 'e',
  moves_evidence: true,
  moves_control: true,
  earlier_control: null,
  to_evidence: 'http://ch:8123',
  to_control: 'postgres://db/spoor',
  started_at: NOW,
  updated_at: NOW,
  phase: 'copying',
  progress: null,
  failure: 'broken off',
  report: null,
}

let folder: string
beforeEach(() => {
  folder = makeTestFolder()
})
afterEach(() => removeTestFolder(folder))

test('a folder starts with its stores until they are handed over', () => {
  refuseMoved(folder, embedded)
  for (const phase of ['copying', 'verifying', 'catching_up', 'read_only'] as const) {
    writeMoveState(folder, { ...BEGUN, phase })
    expect(readMoveState(folder)).toEqual({ ...BEGUN, phase })
    refuseMoved(folder, embedded)
  }
})

test('after the mark it reports where they went, and starts with those only', () => {
  writeMoveState(folder, { ...BEGUN, phase: 'handing_over' })
  expect(() => refuseMoved(folder, { database_url, clickhouse })).toThrow(
    'handed over to http://ch:8123 and postgres://db/spoor',
  )
  writeMoveState(folder, { ...BEGUN, phase: 'moved' })
  expect(() => refuseMoved(folder, embedded)).toThrow('Set SPOOR_CLICKHOUSE_URL and SPOOR_DATABASE_URL')
  expect(() => refuseMoved(folder, { database_url, clickhouse: null })).toThrow('Set SPOOR_CLICKHOUSE_URL to start')
  refuseMoved(folder, { database_url, clickhouse })
})

test.each(['{', '', 'null', '[]', '{}', JSON.stringify({ ...BEGUN, phase: 'done' })])(
  'a state that cannot be read (%s) does not pass for none',
  async (text) => {
    const file = join(folder, 'move.json')
    writeFileSync(file, text)
    expect(() => refuseMoved(folder, embedded)).toThrow('it is not known whether')
    await expect(giveUpMove(folder, fakeClock(NOW), null)).rejects.toThrow('it is not known whether')
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test('a move of the evidence after one of the control store keeps that mark, even if it is given up', async () => {
  const clock = fakeClock(NOW)
  const second: MoveState = {
    ...BEGUN,
    moves_control: false,
    to_control: null,
    earlier_control: 'postgres://db/spoor',
  }
  writeMoveState(folder, second)
  expect(() => refuseMoved(folder, embedded)).toThrow('Set SPOOR_DATABASE_URL to start')
  refuseMoved(folder, { database_url, clickhouse: null })
  await giveUpMove(folder, clock, null)
  expect(readMoveState(folder)).toMatchObject({ phase: 'moved', moves_control: true, moves_evidence: false })
  expect(() => refuseMoved(folder, embedded)).toThrow('Set SPOOR_DATABASE_URL to start')
  expect(hasMoved(readMoveState(folder) as MoveState, { clickhouse: null })).toBe(true)
  expect(hasMoved(readMoveState(folder) as MoveState, { clickhouse })).toBe(false)
})

test('a move that runs, or is handed over, is not given up; one that broke off leaves nothing', async () => {
  const clock = fakeClock(NOW)
  await expect(giveUpMove(folder, clock, null)).rejects.toThrow('nothing to give up')
  writeMoveState(folder, { ...BEGUN, failure: null })
  await expect(giveUpMove(folder, clock, null)).rejects.toThrow('runs now')
  writeMoveState(folder, { ...BEGUN, phase: 'handing_over' })
  await expect(giveUpMove(folder, clock, null)).rejects.toThrow('handed over already')
  writeMoveState(folder, { ...BEGUN, phase: 'moved' })
  await expect(giveUpMove(folder, clock, null)).rejects.toThrow('has moved, so it is too late to give up')
  // After a crash there is no reason, and no sign of life.
  writeMoveState(folder, { ...BEGUN, failure: null, updated_at: '2026-03-10T11:59:00.000Z' })
  await giveUpMove(folder, clock, null)
  expect(readMoveState(folder)).toBeNull()
})
