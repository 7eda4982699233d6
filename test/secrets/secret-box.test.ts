import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

let folder: string
beforeEach(() => {
  folder = makeTestFolder()
})
afterEach(() => removeTestFolder(folder))

const TOKEN = 'cf-token-äöü-0123456789'
const HERE = 'source:1:cloudflare_token'
const open = (SPOOR_SECRET_KEY = '') => openSecretBox(folder, readConfig({ SPOOR_SECRET_KEY }))
const file = () => join(folder, 'secret.key')

describe('sealed text', () => {
  test('opens again, even after a restart, and shows nothing', () => {
    const sealed = open().seal(TOKEN, HERE)
    expect(sealed).toMatch(/^v1\.[\w-]{11}\.[\w-]{16}\.[\w-]+$/)
    expect(Buffer.from(sealed.split('.')[3] as string, 'base64url').toString('latin1')).not.toContain('cf-token')
    expect(open().open(sealed, HERE)).toBe(TOKEN)
    expect(open().open(open().seal('', HERE), HERE)).toBe('')
  })

  test('is different each time', () => {
    const box = open()
    const sealed = new Set(Array.from({ length: 100 }, () => box.seal(TOKEN, HERE)))
    expect(sealed.size).toBe(100)
  })

  test('opens only where it belongs', () => {
    const sealed = open().seal(TOKEN, HERE)
    expect(() => open().open(sealed, 'source:2:cloudflare_token')).toThrow(/damaged, or was stored for something else/)
  })

  test('opens only whole: every changed character is seen', () => {
    const box = open()
    const sealed = box.seal(TOKEN, HERE)
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed[at] === 'A' ? 'B' : 'A'
      const damaged = sealed.slice(0, at) + changed + sealed.slice(at + 1)
      expect(() => box.open(damaged, HERE), `character ${at}`).toThrow(/enter the secret again/i)
    }
    for (const text of ['', 'v2.a.b.c', sealed.slice(0, -4), `${sealed}.x`, TOKEN]) {
      expect(() => box.open(text, HERE)).toThrow(/enter the secret again/i)
    }
  })
})

describe('the key', () => {
  test('is made in the data folder by the first seal, for its owner alone', () => {
    open()
    expect(existsSync(file())).toBe(false)
    open().seal(TOKEN, HERE)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(file(), 'utf8'), 'base64')).toHaveLength(32)
    expect(readdirSync(folder)).toEqual(['secret.key'])
  })

  test('that others can read is closed to them', () => {
    const sealed = open().seal(TOKEN, HERE)
    chmodSync(file(), 0o644)
    expect(open().open(sealed, HERE)).toBe(TOKEN)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['hexadecimal', randomBytes(32).toString('hex')],
    ['base64', randomBytes(32).toString('base64')],
    ['base64url', randomBytes(32).toString('base64url')],
  ])('of the environment, as %s, takes precedence and makes no file', (_, key) => {
    const sealed = open(key).seal(TOKEN, HERE)
    expect(open(key).open(sealed, HERE)).toBe(TOKEN)
    expect(existsSync(file())).toBe(false)
  })

  test('moves between file and environment', () => {
    const sealed = open().seal(TOKEN, HERE)
    const key = readFileSync(file(), 'utf8').trim()
    rmSync(file())
    expect(open(key).open(sealed, HERE)).toBe(TOKEN)
  })

  test('that is another, or gone, is reported with what to do, and opening makes none', () => {
    const sealed = open().seal(TOKEN, HERE)
    expect(() => open('ab'.repeat(32)).open(sealed, HERE)).toThrow(/SPOOR_SECRET_KEY is another\. .*put back the file/)
    rmSync(file())
    expect(() => open().open(sealed, HERE)).toThrow(/there is none here\. Set SPOOR_SECRET_KEY/)
    expect(existsSync(file())).toBe(false)
    open().seal('other', HERE)
    expect(() => open().open(sealed, HERE)).toThrow(/secret\.key in the data folder is another/)
  })

  test('file without a key is refused, and not replaced', () => {
    writeFileSync(file(), 'short\n', { mode: 0o600 })
    expect(() => open().seal(TOKEN, HERE)).toThrow(/secret\.key holds no key.*Put back the right one/)
    expect(readFileSync(file(), 'utf8')).toBe('short\n')
  })

  test.each(['short', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(45)])(
    '%s is refused without being repeated',
    (key) => {
      expect(() => open(key)).toThrow(/^(?!.*(short|ggg|aaa)).*SPOOR_SECRET_KEY is malformed/)
    },
  )
})
