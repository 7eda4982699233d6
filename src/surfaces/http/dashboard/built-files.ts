/** What a build of the dashboard left in its folder, read once at the start. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readEarlyLoads } from './early-loads.ts'

export interface BuiltFile {
  url: string
  type: string
  is_text: boolean
  /** Its name changes with its content. */
  is_hashed: boolean
  content: Buffer
  /** Compressed forms, each made when it is first asked for. */
  compressed: Map<string, Promise<Buffer>>
}

export interface BuiltDashboard {
  page: string
  /** For a path without its query: elements of the page's head. */
  earlyLoads: (path: string) => string
  files: BuiltFile[]
}

const FOLDER = new URL('../../../../dashboard/dist/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}
const TEXTS = ['.js', '.css', '.json', '.svg', '.txt', '.webmanifest']

/** Null: nothing is built in the folder. Files of another kind, such as source maps, are not served. */
export function readBuiltDashboard(folder: URL = FOLDER): BuiltDashboard | null {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return null
  const names = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' })
  const files = names.flatMap((path) => {
    const name = path.replaceAll('\\', '/')
    const type = TYPES[extname(name)]
    // Vite's own notes are in a hidden folder.
    if (type === undefined || name.startsWith('.')) return []
    const content = readFileSync(new URL(name, folder))
    const is_text = TEXTS.includes(extname(name))
    const is_hashed = name.startsWith('assets/')
    return [{ url: `/${name}`, type, is_text, is_hashed, content, compressed: new Map() }]
  })
  return { page: readFileSync(page, 'utf8'), earlyLoads: readEarlyLoads(folder), files }
}
