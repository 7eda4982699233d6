import type { ShownIssue } from './page.tsx'

/**
 * The page whose requests the issue is about, or the first one that it gathers; null: it names none. Prefixes and the
 * patterns of robots.txt rules are not pages (rules 8.1).
 */
export function pageOf({ issue, paths }: Pick<ShownIssue, 'issue' | 'paths'>) {
  const { host, path: key, crawler_id, harm } = issue
  const own = key === null || key.endsWith('*') || harm === 'robots' ? undefined : key
  const path = paths[0] ?? own
  if (host === undefined || path === undefined) return null
  return { host, path, crawler: crawler_id, of_crawler: crawler_id === null ? {} : { crawler_id } }
}
