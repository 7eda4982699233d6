import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '#control/folder-lock.ts'
import { startChild, type TestChild } from '../support/child.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

let folder: string
let child: TestChild | undefined
beforeEach(() => {
  folder = makeTestFolder()
})
afterEach(async () => {
  await child?.kill()
  child = undefined
  removeTestFolder(folder)
})

const startHolder = async () => {
  child = startChild(new URL('./hold-lock.child.ts', import.meta.url), folder)
  expect(await child.line()).toBe('locked')
  return child
}

test('the data folder is made, closed to other users', async () => {
  const data = join(folder, 'deep', 'data')
  const lock = await lockFolder(data)
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(statSync(join(data, 'lock')).mode & 0o777).toBe(0o600)
  lock.release()
})

test('a second process is refused while the first one lives, and freed at kill -9', async () => {
  const holder = await startHolder()
  await expect(lockFolder(folder)).rejects.toMatchObject({
    kind: 'store_busy',
    message: expect.stringContaining(folder),
  })
  await holder.kill()
  const lock = await lockFolder(folder)
  lock.release()
})

test('a second lock in the same process is refused until the first is released', async () => {
  const first = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toMatchObject({ kind: 'store_busy' })
  // The refused attempt must not have dropped the lock of this process: another process is still kept out.
  const other = startChild(new URL('./hold-lock.child.ts', import.meta.url), folder)
  await expect(other.line()).rejects.toThrow('Another Spoor process')
  first.release()
  first.release()
  const again = await lockFolder(folder)
  again.release()
})

test('a waiting process gets the folder after its holder has ended', async () => {
  const holder = await startHolder()
  const waiting = lockFolder(folder, { wait_ms: 20_000 })
  await holder.kill()
  const lock = await waiting
  lock.release()
})

test('a path that is not a folder is refused with what to do', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, 'text')
  await expect(lockFolder(file)).rejects.toMatchObject({
    kind: 'not_readable',
    message: expect.stringContaining('--data'),
  })
  await expect(lockFolder(join(file, 'below'))).rejects.toMatchObject({ kind: 'not_readable' })
  expect(existsSync(join(file, 'lock'))).toBe(false)
})
