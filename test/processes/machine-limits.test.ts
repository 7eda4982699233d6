/** Real commands with few file handles and damaged stores. */
import { spawnSync } from 'node:child_process'
import { globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { run, runJson, workFolder } from '../support/cli.ts'

const LAUNCHER = new URL('../../bin/spoor.mjs', import.meta.url).pathname

/** A command that may open only so many files. */
function limited(files: number, args: readonly string[]) {
  const env = { ...process.env, SPOOR_METRICS_LISTEN: 'off', UV_THREADPOOL_SIZE: '16' }
  const script = `ulimit -n ${files}; exec "$0" "$@"`
  return spawnSync('bash', ['-c', script, process.execPath, LAUNCHER, ...args], { env, encoding: 'utf8', input: '' })
}

test('too few file handles end a start with one line of advice, and the doctor names the limit', async () => {
  const { data, file } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  // The doctor opens only a store that is there.
  writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('gptbot').requests(2).text())
  await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
  const started = limited(40, ['serve', '--port', '0', '--data', data])
  expect([started.status, started.stderr.trim()]).toEqual([
    1,
    'spoor: At most 40 files may be open at once, and the evidence store needs 256. Raise the limit (ulimit -n 65536, or LimitNOFILE=65536 of systemd) and start Spoor again.',
  ])
  const doctor = limited(40, ['doctor', '--data', data])
  expect(doctor.status).toBe(1)
  expect(doctor.stdout).toMatch(
    /^fail {2}evidence_store_failed: .*At most 40 files may be open at once, and the evidence store needs 256\./m,
  )
  expect(doctor.stdout).toMatch(/^warn {2}open_files_few: /m)
  expect(doctor.stderr).not.toMatch(/\n {4}at /)
})

test('a missing table of the control store is one line of advice to every command, and to the doctor a finding', async () => {
  const { data } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  const sqlite = new DatabaseSync(join(data, 'control.sqlite'))
  sqlite.exec('PRAGMA foreign_keys = OFF; DROP TABLE sources; DROP TABLE deliveries')
  sqlite.close()
  for (const args of [
    ['serve', '--port', '0'],
    ['source', 'list', '--site', 'example.com'],
  ]) {
    const ended = await run([...args, '--data', data])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/^spoor: A table of the control store is missing or damaged\. Restore a backup .*\n$/)
  }
  const doctor = await run(['doctor', '--data', data])
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/^fail .*A table of the control store is missing or damaged/m)
})

test('the doctor names missing tables of the evidence store, and an import advises in one line', async () => {
  const { data, file } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('gptbot').requests(2).text())
  await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
  const lose = (table: string) => {
    for (const definition of globSync(join(data, `evidence/store/*/*/${table}.sql`))) rmSync(definition)
  }
  lose('sessions')
  expect(await run(['backup', file('a.tar'), '--data', data])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^spoor: Tables of the evidence store are missing \(sessions\), .*\n$/),
  })
  lose('agents')
  const doctor = await run(['doctor', '--data', data])
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/^fail {2}evidence_table_missing: Missing: agents, sessions\.$/m)
  const ended = await run(['import', file('a.log'), '--site', 'example.com', '--data', data])
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/^spoor: .*A table of the evidence store is missing or damaged\. .*\n$/)
})

/** A user id that the list of users lacks, as containers may be given one. */
const UNLISTED = { uid: 54_321, gid: 54_321 }
const cannotBeUnlisted = () =>
  process.geteuid?.() !== 0 || spawnSync('test', ['-r', LAUNCHER, '-a', '-x', process.execPath], UNLISTED).status !== 0

test('a user without a home and without a name can run commands', ({ skip }) => {
  if (cannotBeUnlisted()) return skip('this needs root, and a clone that others can read')
  const ended = spawnSync(process.execPath, [LAUNCHER, 'site', 'list'], {
    ...UNLISTED,
    cwd: '/',
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
    input: '',
  })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^spoor: no data folder was found\..*\n$/)
})
