/**
 * Fails when the built dashboard is too large: script of each page's first load, the page's own chunk, styles and font,
 * all but the font compressed as they are served. Part of `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const KIB = 1024
/**
 * The design allows 220. A page near this limit probably loads a menu or dialog that could be loaded when it is opened
 * (`openedLater`, `Drawer`).
 */
const MAX_FIRST_LOAD = 190 * KIB
const MAX_PAGE = 30 * KIB
const MAX_STYLES = 20 * KIB
const MAX_FONT = 50 * KIB

interface Chunk {
  file: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  css?: string[]
}

/** A message for each limit that is exceeded. */
function findHeavyParts(folder: URL): string[] {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8')) as Record<string, Chunk>
  const weigh = (file: string) => gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length
  const entries = Object.entries(manifest).filter(([, { isEntry }]) => isEntry)
  const first = entries.flatMap(([key]) => withImports(manifest, key))
  const pages = Object.keys(manifest).filter(
    (key) => /^pages\/.*\.tsx$/.test(key) && manifest[key]?.isDynamicEntry === true,
  )
  const firstLoadOf = (page: string) =>
    sum([...new Set([...first, ...withImports(manifest, page)])].map((key) => weigh(manifest[key]?.file ?? '')))
  const styles = sum(entries.flatMap(([, { css = [] }]) => css.map(weigh)))
  const fonts = readdirSync(new URL('assets/', folder)).filter((name) => /latin-wght.*woff2$/.test(name))
  return [
    ...tooHeavy('styles', styles, MAX_STYLES),
    ...fonts
      .filter((name) => !name.includes('latin-ext'))
      .flatMap((name) => tooHeavy(name, readFileSync(new URL(`assets/${name}`, folder)).length, MAX_FONT)),
    ...pages.flatMap((key) => [
      ...tooHeavy(`first load of ${key}`, firstLoadOf(key), MAX_FIRST_LOAD),
      ...tooHeavy(key, weigh(manifest[key]?.file ?? ''), MAX_PAGE),
    ]),
  ]
}

function withImports(manifest: Record<string, Chunk>, key: string, seen = new Set<string>()): string[] {
  if (seen.has(key)) return []
  seen.add(key)
  for (const imported of manifest[key]?.imports ?? []) withImports(manifest, imported, seen)
  return [...seen]
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

function tooHeavy(name: string, size: number, limit: number): string[] {
  console.log(`${name}: ${(size / KIB).toFixed(1)} of ${limit / KIB} KiB`)
  return size <= limit ? [] : [`${name} is ${(size / KIB).toFixed(1)} KiB; allowed are ${limit / KIB}.`]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const heavy = findHeavyParts(new URL('../dashboard/dist/', import.meta.url))
  for (const words of heavy) console.error(words)
  if (heavy.length > 0) process.exitCode = 1
}
