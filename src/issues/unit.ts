/** The unit of an issue: site, host, path key, crawler and harm (rules 8.1). */
import type { Harm } from '#contract/vocabulary.ts'

export interface IssueUnit {
  site_id: string
  host: string
  /** A path, a prefix that ends with `*`, or the pattern of a robots rule; null for a whole host. */
  path_key: string | null
  /** Null: several crawlers, or every visitor. */
  crawler_id: string | null
  harm: Harm
}

/** The unit as a text, equal for equal units. */
export const unitText = ({ site_id, host, path_key, crawler_id, harm }: IssueUnit): string =>
  JSON.stringify([site_id, host, path_key, crawler_id, harm])

/**
 * The prefix of a path, up to its last `/`. A path that ends with `/` is a page of the directory above; otherwise sites
 * whose pages all end with `/` would have no groups.
 */
export function prefixOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 2 : path.length - 1
  return path.slice(0, Math.max(0, path.lastIndexOf('/', end)) + 1) || '/'
}

/** The path key of one path. A final `*` is escaped, because keys that end with `*` are prefixes. */
export const keyOfPath = (path: string): string => (path.endsWith('*') ? `${path.slice(0, -1)}%2A` : path)

/** Whether a path key covers a path: it is the path itself, or a prefix of it. */
export const coversPath = (path_key: string, path: string): boolean =>
  path_key.endsWith('*') ? path.startsWith(path_key.slice(0, -1)) : path_key === keyOfPath(path)
