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
}

/** The oldest first. */
export const readOpenIssues = (db: ControlDb, site_id: string): Promise<OpenIssue[]> =>
  db
    .selectFrom('issues')
    .select(['id', 'title', 'description', 'fix_prompt', 'host', 'path_key'])
    .where('site_id', '=', site_id)
    .where('state', 'in', ['open', 'regressed'])
    .orderBy('detected_at')
    .orderBy('id')
    .execute()

/** A cited URL stands for its page with and without `www.`, whatever the query. */
export function pagesOf(url: string): SitePage[] {
  const { hostname, pathname } = new URL(url)
  const host = hostname.replace(/^www\./, '')
  const { path } = pathV1(pathname)
  return [host, `www.${host}`].map((each) => ({ host: each, path }))
}

/** The issues that one of these pages has. */
export const issuesOf = <T extends Pick<OpenIssue, 'host' | 'path_key'>>(
  issues: readonly T[],
  pages: readonly SitePage[],
): T[] =>
  issues.filter(({ host, path_key }) =>
    pages.some((page) => host === page.host && (path_key === null || coversPath(path_key, page.path))),
  )
