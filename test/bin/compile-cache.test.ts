import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const script = new URL('../../bin/compile-cache.mjs', import.meta.url).href
const { compileCacheFolder } = (await import(script)) as {
  compileCacheFolder(env: Record<string, string>, home: string): string | null
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'spoor-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('compiled code is kept only where no other user can write', () => {
  test('in the user’s cache, with the user’s rights alone', () => {
    const folder = compileCacheFolder({ XDG_CACHE_HOME: join(home, 'xdg') }, home)
    expect(folder).toBe(join(home, 'xdg', 'spoor', 'compiled'))
    expect(statSync(folder as string).mode & 0o777).toBe(0o700)
    expect(compileCacheFolder({}, home)?.startsWith(home)).toBe(true)
    // A relative path is none (XDG base directory specification).
    expect(compileCacheFolder({ XDG_CACHE_HOME: 'here' }, home)?.startsWith(home)).toBe(true)
  })

  test('not in a folder that others may write to, nor behind a link, nor where there is no folder', () => {
    const base = join(home, 'xdg')
    const own = join(base, 'spoor')
    const asked = () => compileCacheFolder({ XDG_CACHE_HOME: base }, home)
    mkdirSync(base)
    chmodSync(base, 0o777)
    expect(asked()).toBeNull()
    expect(existsSync(own)).toBe(false)
    chmodSync(base, 0o755)
    mkdirSync(own)
    chmodSync(own, 0o770)
    expect(asked()).toBeNull()
    rmSync(own, { recursive: true })
    mkdirSync(join(home, 'elsewhere'))
    symlinkSync(join(home, 'elsewhere'), own)
    expect(asked()).toBeNull()
    rmSync(own)
    writeFileSync(own, '')
    expect(asked()).toBeNull()
    chmodSync(home, 0o777)
    expect(compileCacheFolder({}, home)).toBeNull()
    expect(compileCacheFolder({}, join(home, 'none'))).toBeNull()
  })
})
