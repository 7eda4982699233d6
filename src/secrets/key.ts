import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolderNow } from '#machine/sync-folder.ts'
import { Refusal } from '#refusal.ts'

const KEY_BYTES = 32
const FILE = 'secret.key'
const FORM = /^([\da-f]{64}|[\w+/-]{43}=?)$/i
const OTHERS = 0o077

/** The configured key, else the one in the data folder; null when there is neither. */
export function findKey(folder: string, configured: string | null): Buffer | null {
  if (configured !== null) return read(configured, 'The environment variable SPOOR_SECRET_KEY')
  const file = join(folder, FILE)
  try {
    // The operator may have copied it back with a mode that lets others read.
    if ((statSync(file).mode & OTHERS) !== 0) chmodSync(file, 0o600)
    return read(readFileSync(file, 'utf8').trim(), `The key file ${file}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw refuse(file, error)
  }
}

/** Makes the folder's key durable before anything is sealed with it. If another process is first, its key counts. */
export function makeKey(folder: string): Buffer {
  const file = join(folder, FILE)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const opened = openSync(draft, 'wx', 0o600)
    try {
      writeSync(opened, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    linkWithoutReplacing(draft, file)
    syncFolderNow(folder)
  } catch (error) {
    throw refuse(file, error)
  } finally {
    rmSync(draft, { force: true })
  }
  const made = findKey(folder, null)
  if (made === null) throw new Error(`${file} vanished while it was made.`)
  return made
}

function linkWithoutReplacing(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function read(text: string, what: string): Buffer {
  const key = FORM.test(text) ? Buffer.from(text, text.length === 2 * KEY_BYTES ? 'hex' : 'base64') : Buffer.alloc(0)
  if (key.length === KEY_BYTES) return key
  throw new Refusal(
    'not_readable',
    `${what} holds no key: it must be 32 bytes as 64 hexadecimal digits or as base64. Put back the right one.`,
  )
}

function refuse(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof Refusal || code === undefined) return error
  return new Refusal(
    'not_readable',
    `The key file ${file} cannot be used (${code}): it must be readable by the user of the service, or set SPOOR_SECRET_KEY.`,
  )
}
