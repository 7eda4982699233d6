import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { run, runJson, workFolder } from '../../support/cli.ts'

test('with a lost control store neither the service nor any command starts, and the doctor reports it', async () => {
  const { data, file } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('gptbot').requests(2).text())
  await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
  for (const name of ['control.sqlite', 'control.sqlite-wal', 'control.sqlite-shm']) {
    rmSync(join(data, name), { force: true })
  }
  for (const command of [
    ['serve', '--port', '0'],
    ['site', 'list'],
  ]) {
    const ended = await run([...command, '--data', data])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^spoor: The control store of the data folder .* is lost .*Restore a backup.*\n$/)
  }
  const ended = await run(['doctor', '--json', '--data', data])
  expect(ended.code).toBe(1)
  const { ok, findings } = JSON.parse(ended.stdout) as { ok: boolean; findings: { code: string; level: string }[] }
  expect(ok).toBe(false)
  expect(findings).toContainEqual(expect.objectContaining({ code: 'control_store_lost', level: 'fail' }))
})

test('a file in place of the folder of the evidence ends a start with one line', async () => {
  const { data } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  writeFileSync(join(data, 'evidence'), '')
  const ended = await run(['serve', '--port', '0', '--data', data])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^spoor: \/\S+\/evidence is not a folder, .*restore a backup.*\n$/)
})
