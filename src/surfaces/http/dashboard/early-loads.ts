/**
 * What a page of the dashboard will ask for, named in its head: the browser fetches the page's own script, the font and
 * the session while it still reads the script that all pages share, instead of one after the other.
 */
import { existsSync, readFileSync } from 'node:fs'
import { PAGE_MODULES, pageModuleAt } from './page-modules.ts'

/** What Vite notes of a file that it built. */
interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const SESSION = '<link rel="preload" as="fetch" crossorigin href="/dashboard-api/getSession">'
/** Pages that are shown before anybody has signed in. */
const WITHOUT_SESSION = ['/sign-in', '/welcome']
const FONT = /inter-latin-wght-normal\.woff2$/

/** @param folder what Vite wrote. @returns for a path without its query: `<link>` elements. */
export function readEarlyLoads(folder: URL): (path: string) => string {
  const place = new URL('.vite/manifest.json', folder)
  const manifest = existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8')) as Manifest) : {}
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true)
  const known = new Set(entries.flatMap((name) => withImports(manifest, name)))
  const scripts = new Map(
    PAGE_MODULES.map(([, module]) => {
      const files = withImports(manifest, module).filter((file) => !known.has(file))
      return [module, files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('')]
    }),
  )
  const font = Object.entries(manifest).find(([name]) => FONT.test(name))?.[1].file
  const always =
    font === undefined ? '' : `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`
  return (path) => {
    const module = pageModuleAt(path)
    const session = WITHOUT_SESSION.includes(path) ? '' : SESSION
    return `${session}${(module === null ? undefined : scripts.get(module)) ?? ''}${always}`
  }
}

/** The file of a module and all that it imports, each once. */
function withImports(manifest: Manifest, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name]
  if (chunk === undefined || seen.has(name)) return []
  seen.add(name)
  return [chunk.file, ...(chunk.imports ?? []).flatMap((imported) => withImports(manifest, imported, seen))]
}
