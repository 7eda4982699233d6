/** Open issues of a brand's site, and the URLs that they are about. */
import type { ControlDb } from '#control/store.ts'
import type { SitePage } from '#crawlers/page-evidence.ts'
import { coversPath } from '#issues/unit.ts'
import { pathV1 } from '#paths/path-v1.ts'

export interface OpenIssue {
  id: string
  title: string
  description: string | null
  fix_prompt: string | null
  host: string
  path_key: string | null
  /** The paths that a rule of robots.txt disallows, as far as they were requested before; null for other harm. */
  disallowed_paths: ReadonlySet<string> | null
}

/** The oldest first. */
export async function readOpenIssues(db: ControlDb, site_id: string): Promise<OpenIssue[]> {
  const open = db.selectFrom('issues').where('site_id', '=', site_id).where('state', 'in', ['open', 'regressed'])
  const issues = await open
    .select(['id', 'title', 'description', 'fix_prompt', 'host', 'path_key', 'harm'])
    .orderBy('detected_at')
    .orderBy('id')
    .execute()
  const disallowed = await db
    .selectFrom('issue_members')
    .select(['issue_id', 'path'])
    .where('issue_id', 'in', open.where('harm', '=', 'robots').select('id'))
    .execute()
  const byIssue = Map.groupBy(disallowed, ({ issue_id }) => issue_id)
  return issues.map(({ harm, ...issue }) => ({
    ...issue,
    disallowed_paths: harm === 'robots' ? new Set(byIssue.get(issue.id)?.map(({ path }) => path)) : null,
  }))
}

interface PageOfUrl extends SitePage {
  /** False: its path is stored redacted or cut, as are paths of other pages, so what is stored of it is not its own. */
  is_exact: boolean
}

/** A cited URL stands for its page with and without `www.`, whatever the query. */
export function pagesOf(url: string): PageOfUrl[] {
  const { hostname, pathname } = new URL(url)
  const host = hostname.replace(/^www\./, '')
  const { path, fidelity } = pathV1(pathname)
  return [host, `www.${host}`].map((each) => ({ host: each, path, is_exact: fidelity === 'exact' }))
}

/** The issues that one of these pages has. */
export const issuesOf = (issues: readonly OpenIssue[], pages: readonly PageOfUrl[]): OpenIssue[] =>
  issues.filter((issue) => pages.some((page) => issue.host === page.host && isAbout(issue, page)))

function isAbout({ path_key, disallowed_paths }: OpenIssue, { path, is_exact }: PageOfUrl): boolean {
  // The pattern of a robots rule also matches paths that another rule allows.
  if (disallowed_paths !== null) return is_exact && disallowed_paths.has(path)
  if (path_key === null) return true
  return (is_exact || path_key.endsWith('*')) && coversPath(path_key, path)
}
