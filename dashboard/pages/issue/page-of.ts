import type { ShownIssue } from './page.tsx'

/** The page whose requests the issue is about, or the first one below its prefix; null: it names none. */
export function pageOf({ issue, paths }: Pick<ShownIssue, 'issue' | 'paths'>) {
  const path = issue.path ?? paths[0]
  if (issue.host === undefined || path === undefined || path.endsWith('*')) return null
  const { host, crawler_id } = issue
  return { host, path, crawler: crawler_id, of_crawler: crawler_id === null ? {} : { crawler_id } }
}
