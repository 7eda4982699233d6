/** What an issue is about: site, host, path key, crawler and harm (rules 8.1). */
import type { Harm } from '#contract/vocabulary.ts'

export interface IssueUnit {
  site_id: string
  host: string
  /** A path, a prefix that ends with `*`, or the pattern of a robots rule; null for a whole host. */
  path_key: string | null
  /** Null: of several crawlers, or of every visitor. */
  crawler_id: string | null
  harm: Harm
}

/** The unit as one text: equal units have equal texts. */
export const unitText = ({ site_id, host, path_key, crawler_id, harm }: IssueUnit): string =>
  JSON.stringify([site_id, host, path_key, crawler_id, harm])

/**
 * The prefix that a path lies under: up to its last `/`. A path that ends with one is a page of the directory above it,
 * because sites whose pages all do would have no groups otherwise.
 */
export function prefixOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 2 : path.length - 1
  return path.slice(0, Math.max(0, path.lastIndexOf('/', end)) + 1) || '/'
}

/** The key of one path. A `*` at its end is escaped, because keys that end with one are prefixes. */
export const keyOfPath = (path: string): string => (path.endsWith('*') ? `${path.slice(0, -1)}%2A` : path)

/** Whether a path key holds a path: itself, or as a prefix that ends with `*`. */
export const holdsPath = (path_key: string, path: string): boolean =>
  path_key.endsWith('*') ? path.startsWith(path_key.slice(0, -1)) : path_key === keyOfPath(path)
