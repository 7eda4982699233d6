import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { preparedFolder, run, runJson, serve, type Work, workFolder } from '../support/cli.ts'

/** A user of their own, whose servers no other test sees. */
const userOf = ({ folder }: Work) => ({ XDG_STATE_HOME: join(folder, 'state') })

describe('the data folder of a command (decisions 1)', () => {
  test('is found from anywhere while a server runs on it, and no more when it has stopped', async () => {
    const work = await preparedFolder()
    const env = userOf(work)
    const server = await serve(work.data, [], { env })
    expect(await runJson(['site', 'add', 'example.com'], { env })).toMatchObject({ root_domain: 'example.com' })
    expect(await runJson(['site', 'list', '--data', work.data])).toMatchObject({ sites: [{}] })
    const refused = await run(['site', 'remove', 'example.net', '--yes'], { env })
    expect(refused.stderr).toMatch(new RegExp(`"example\\.net".* \\(data folder: ${work.data}\\)\\n$`))
    await server.stop()
    expect(await run(['site', 'list'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no data folder/),
    })
  })

  test('several servers are a choice that is left to the user', async () => {
    const [one, other] = [await preparedFolder(), await preparedFolder()]
    const env = userOf(one)
    await serve(one.data, [], { env })
    await serve(other.data, [], { env })
    const refused = await run(['site', 'list', '--json'], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    const { error } = JSON.parse(refused.stderr)
    expect(error.kind).toBe('conflict')
    for (const { data } of [one, other]) expect(error.message).toContain(data)
  })

  test('where there is none, the command makes none and says where it looked', async () => {
    const work = workFolder()
    const refused = await run(['site', 'add', 'example.com'], { env: userOf(work) })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    for (const place of [
      '--data (not given)',
      'SPOOR_DATA (not set)',
      'a running server',
      join(process.cwd(), 'data'),
    ]) {
      expect(refused.stderr).toContain(place)
    }
    expect(refused.stderr).toMatch(/To make a new one: npx spoor serve\./)
  })

  test('SPOOR_DATA decides alone: a folder without stores is named, and no other one is taken', async () => {
    const work = await preparedFolder()
    const env = { ...userOf(work), SPOOR_DATA: work.file('empty') }
    mkdirSync(env.SPOOR_DATA)
    await serve(work.data, [], { env: userOf(work) })
    const refused = await run(['site', 'list'], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(env.SPOOR_DATA)
    expect(existsSync(join(env.SPOOR_DATA, 'control.sqlite'))).toBe(false)
    expect(await runJson(['site', 'list'], { env: { ...env, SPOOR_DATA: work.data } })).toEqual({ sites: [] })
  })

  test('an explicit --data makes one, and the output says so', async () => {
    const { data, folder } = workFolder()
    const made = await run(['site', 'list', '--data', data])
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining(`Made a new, empty data folder: ${data}.`) })
    expect((await run(['site', 'list', '--data', data])).stderr).toBe('')
    const other = join(folder, 'other')
    const noticed = await run(['site', 'list', '--data', other, '--json'])
    expect(JSON.parse(noticed.stderr)).toEqual({ notice: { kind: 'data_folder_made', data_folder: other } })
  })

  test('what another user could have written about servers is not believed', async () => {
    const work = await preparedFolder()
    const env = userOf(work)
    await serve(work.data, [], { env })
    const running = join(env.XDG_STATE_HOME, 'spoor', 'running')
    writeFileSync(join(running, 'half.json'), '{"folder":')
    expect(await run(['site', 'list'], { env })).toMatchObject({ code: 0 })
    chmodSync(running, 0o777)
    expect(await run(['site', 'list'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no data folder/),
    })
  })
})
