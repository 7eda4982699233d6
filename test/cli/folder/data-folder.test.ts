import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findDataFolder } from '../../../cli/folder/data-folder.ts'
import { announceServer } from '../../../cli/folder/running-servers.ts'
import { type CommandHost, runOn } from '../../../cli/host/command-host.ts'
import { preparedFolder, run, runJson, serve, type Work, workFolder } from '../../support/cli.ts'

let work: Work
let env: { XDG_STATE_HOME: string }
beforeEach(() => {
  work = workFolder()
  // A user of their own, whose servers no other test sees.
  env = { XDG_STATE_HOME: join(work.folder, 'state') }
})

const find = (given?: string, more: Record<string, string> = {}) =>
  runOn({ environment: { ...env, ...more } } as unknown as CommandHost, () => findDataFolder(given))

/** A data folder as a command finds it from outside; with a socket, as where a server runs. */
async function folderOf(name: string, { server }: { server?: 'real' | 'demo' } = {}): Promise<string> {
  const folder = join(work.folder, name)
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'lock'), '')
  if (server === undefined) return folder
  const listening = createServer((socket) => socket.end()).listen(join(folder, 'spoor.sock'))
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  const host = { environment: env } as unknown as CommandHost
  runOn(host, () => announceServer({ folder, is_demo: server === 'demo' }))
  return folder
}

describe('the data folder of a command (decisions 1)', () => {
  test('is the running server’s, from anywhere, until it has stopped', async () => {
    const prepared = await preparedFolder()
    const server = await serve(prepared.data, [], { env })
    expect(await runJson(['site', 'add', 'example.com'], { env })).toMatchObject({ root_domain: 'example.com' })
    expect(await runJson(['site', 'list', '--data', prepared.data])).toMatchObject({ sites: [{}] })
    const refused = await run(['site', 'remove', 'example.net', '--yes'], { env })
    expect(refused.stderr).toMatch(new RegExp(`"example\\.net".* \\(data folder: ${prepared.data}\\)\\n$`))
    await server.stop()
    await expect(find()).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('if there is none, the command makes none and says where it looked', async () => {
    const refused = await run(['site', 'add', 'example.com'], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    const places = ['--data (not given)', 'SPOOR_DATA (not set)', 'a running server', join(process.cwd(), 'data')]
    for (const place of places) expect(refused.stderr).toContain(place)
    expect(refused.stderr).toMatch(/To make a new one: npx spoor serve\./)
  })

  test('may have the lock of a process that was killed before it created stores', async () => {
    const data = work.file('begun')
    mkdirSync(data, { mode: 0o700 })
    for (const name of ['lock', 'lock-journal']) writeFileSync(join(data, name), '')
    expect(await runJson(['site', 'add', 'example.com', '--data', data])).toMatchObject({ root_domain: 'example.com' })
  })

  test('SPOOR_DATA decides alone: a folder without stores is named, and no other one is used', async () => {
    await folderOf('served', { server: 'real' })
    const empty = work.file('empty')
    mkdirSync(empty)
    await expect(find(undefined, { SPOOR_DATA: empty })).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining(empty),
    })
    const held = await folderOf('held')
    expect(await find(undefined, { SPOOR_DATA: held })).toBe(held)
    expect(await find(empty, { SPOOR_DATA: held })).toBe(empty)
  })

  test('one that cannot be read is not treated as empty: opening it says why', async () => {
    // A loop is closed to root too, whom no mode keeps out.
    const closed = work.file('closed')
    symlinkSync(closed, closed)
    expect(await find(undefined, { SPOOR_DATA: closed })).toBe(closed)
    const refused = await run(['site', 'list'], { env: { ...env, SPOOR_DATA: closed } })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`${closed} cannot be used`) })
  })

  test('a real server takes precedence over a demo; with several servers, the user chooses', async () => {
    const demo = await folderOf('demo', { server: 'demo' })
    expect(await find()).toBe(demo)
    const served = await folderOf('served', { server: 'real' })
    expect(await find()).toBe(served)
    const other = await folderOf('other', { server: 'real' })
    const refused = await find().catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'conflict', message: expect.stringContaining(served) })
    expect(refused).toMatchObject({ message: expect.stringContaining(other) })
  })

  test('an explicit --data creates a folder for a command that writes, and the output reports it', async () => {
    const { data } = work
    const made = await run(['site', 'add', 'example.com', '--data', data])
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining(`Made a new, empty data folder: ${data}.`) })
    expect((await run(['site', 'list', '--data', data])).stderr).toBe('')
    const other = join(work.folder, 'other')
    const noticed = await run(['site', 'add', 'example.com', '--data', other, '--json'])
    expect(JSON.parse(noticed.stderr)).toEqual({ notice: { kind: 'data_folder_made', data_folder: other } })
    expect(existsSync(other)).toBe(true)
  })

  test.each([
    ['site', 'list'],
    ['key', 'list'],
    ['issue', 'list', 'example.com'],
    ['report', 'example.com'],
    ['node', 'list'],
    ['import', 'example.com', 'access.log'],
    ['backup', 'spoor.tar'],
  ])('%s %s does not make a missing folder, and says what to do', async (...args) => {
    const { data } = work
    const refused = await run([...args, '--data', data])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(
      `${data} holds no Spoor data: no installation exists here yet; npx spoor serve --data ${data} creates one`,
    )
    expect(existsSync(data)).toBe(false)
  })

  test('the remains of a refused restore do not count as an installation', async () => {
    const folder = join(work.folder, 'restored')
    for (const file of [null, 'letter.txt']) {
      mkdirSync(folder, { recursive: true })
      if (file !== null) writeFileSync(join(folder, file), 'Dear Ann')
      expect(await run(['restore', 'missing.tar', '--data', folder])).toMatchObject({ code: 1 })
      const left = readdirSync(folder)
      for (const args of [
        ['site', 'list'],
        ['backup', 'spoor.tar'],
      ]) {
        const refused = await run([...args, '--data', folder])
        expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no Spoor data') })
      }
      expect(readdirSync(folder)).toEqual(left)
    }
    const refused = await run(['site', 'add', 'example.com', '--data', folder])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('holds other files') })
  })

  test.each(['', '   '])('a blank --data (%j) is refused, and does not mean the working directory', async (blank) => {
    for (const command of [['site', 'list'], ['serve'], ['doctor']]) {
      const refused = await run([...command, '--data', blank], { env })
      expect(refused).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`--data <dir>' argument '${blank}'`),
      })
    }
  })

  test('a file in its place is reported as a file, however it is named', async () => {
    const file = work.file('notes.txt')
    writeFileSync(file, 'Dear Ann')
    const why = `spoor: ${file} is a file, and the data folder must be a folder. Name a folder with --data or SPOOR_DATA.\n`
    const commands = [
      ['site', 'list'],
      ['site', 'add', 'example.com'],
      ['serve', '--port', '0'],
      ['backup', 'spoor.tar'],
    ]
    for (const args of commands) {
      expect(await run([...args, '--data', file])).toMatchObject({ code: 1, stdout: '', stderr: why })
      expect(await run(args, { env: { SPOOR_DATA: file } })).toMatchObject({ code: 1, stdout: '', stderr: why })
    }
    const below = await run(['site', 'list', '--data', join(file, 'data')])
    expect(below.stderr).toContain(`${file} is a file, so ${file}/data cannot be the data folder.`)
    expect((await run(['doctor', '--data', file])).stdout).toMatch(
      /data_folder_unusable: .* is a file, not a folder\.\n/,
    )
  })

  test('a hint to start the service repeats --data, quoted where a shell needs it', async () => {
    for (const name of ['new', 'my data']) {
      const data = join(work.folder, name)
      const typed = `npx spoor serve --data ${name === 'new' ? data : `'${data}'`}`
      expect((await run(['site', 'list', '--data', data])).stderr).toContain(`; ${typed} creates one`)
      expect((await run(['doctor', '--data', data])).stdout).toContain(`To make a new installation: ${typed}\n`)
    }
  })

  test('a hint to restart the service names a folder that `spoor serve` alone would not use', async () => {
    const { data, file } = await preparedFolder()
    await serve(data, [], { env })
    await run(['site', 'add', 'example.com'], { env })
    const log = file('access.log')
    writeFileSync(log, '192.0.2.1 - - [09/Jun/2015:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.2"\n')
    const hint = `npx spoor serve --data ${data} --clock 2015-06-10T00:00:00Z`
    expect((await run(['import', 'example.com', log], { env })).stderr).toContain(hint)
    expect((await run(['report', 'example.com'], { env })).stdout.replaceAll(/\n +/g, ' ')).toContain(hint)
    const usual = { ...env, SPOOR_DATA: data }
    expect((await run(['report', 'example.com'], { env: usual })).stdout).toContain('npx spoor serve --clock')
  })

  test('an explicit --data lays no stores among other files', async () => {
    const folder = join(work.folder, 'letters')
    mkdirSync(folder)
    writeFileSync(join(folder, 'letter.txt'), 'Dear Ann')
    const refused = await run(['site', 'add', 'example.com', '--data', folder])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${folder} holds other files and no Spoor`),
    })
    expect(readdirSync(folder)).toEqual(['letter.txt'])
  })

  test('a server record that another user could have written is ignored, and so is an incomplete one', async () => {
    const folder = await folderOf('served', { server: 'real' })
    const running = join(env.XDG_STATE_HOME, 'spoor', 'running')
    writeFileSync(join(running, 'half.json'), '{"folder":')
    expect(await find()).toBe(folder)
    chmodSync(folder, 0o777)
    await expect(find()).rejects.toMatchObject({ kind: 'not_found' })
    chmodSync(folder, 0o700)
    chmodSync(running, 0o777)
    await expect(find()).rejects.toMatchObject({ kind: 'not_found' })
  })
})
