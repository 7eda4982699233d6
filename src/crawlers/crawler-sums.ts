/** Requests of one crawler, from cached sums of the closed days and of the others (ADR 46). */
import type { Row } from '#evidence/sql.ts'
import { addUp, orderedBy } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { type crawlerDetails, crawlerSums } from './crawler.sql.ts'
import { bytesOfHex, decodePageSums, indexOfPage, type PageSums, sizeOf } from './page-sums.ts'
import { MAX_PAGES, rankFromSums } from './rank-from-sums.ts'
import type { CrawlerScope } from './scope.sql.ts'

type SumsRow = Row<ReturnType<typeof crawlerSums>>
type Detail = Row<ReturnType<typeof crawlerDetails>>
type Total = Pick<SumsRow, 'part' | 'date' | 'status' | 'identity' | 'requests'>

/** Requests of a crawler by day, status and identity, and by page and status. */
interface CrawlerSums extends PageSums {
  totals: readonly Total[]
  /** Index of the first status of each page, and after the last page the number of all statuses. */
  status_from: Uint32Array
  statuses: Uint16Array
  status_requests: Float64Array
}

/**
 * The rows of `crawlerDetails`, totals ascending, pages in no order; null if there are too many pages, or too many of
 * them tie.
 */
export async function detailsFromSums(
  ctx: SiteContext,
  scope: CrawlerScope,
  { crawler_id, limit }: { crawler_id: string; limit: number },
): Promise<Detail[] | null> {
  const ranked = await rankFromSums<CrawlerSums>(ctx, scope, limit, {
    name: `crawler ${crawler_id}`,
    read: async (of, evidence) => decode(await evidence.all(crawlerSums(of, crawler_id, MAX_PAGES))),
    bytesOf: (sums) => sizeOf(sums) + (sums === null ? 0 : sizeOfDetails(sums)),
  })
  if (ranked === null) return null
  const { parts, pages, total_pages } = ranked
  const totals = addUp(
    parts.flatMap((part) => part.totals),
    ['requests'],
  )
  return [
    ...orderedBy(totals, ['part', 'date', 'status', 'identity']).map((total) => ({
      ...NO_PAGE,
      ...total,
      part: total.part as Detail['part'],
    })),
    ...pages.flatMap(({ page_id, requests, observed: _, crawlers: __, ...name }) =>
      statusesOf(parts, page_id).map(([status, of_status]) => ({
        part: 'page' as const,
        date: '',
        status,
        identity: '' as const,
        requests: of_status,
        ...name,
        page_requests: requests,
        total_pages,
      })),
    ),
  ]
}

const NO_PAGE = {
  host: '',
  path: '',
  path_fidelity: 'exact' as const,
  path_class: 'content' as const,
  page_requests: 0,
  total_pages: 0,
}

function decode(rows: readonly SumsRow[]): CrawlerSums | null {
  const shown = rows.filter(({ part }) => part === 'pages')
  const lists = shown.map((row) => ({ ...row, hidden: 0, crawlers: [], page_marks: '' }))
  const sums = decodePageSums(lists.filter(({ pages }) => pages > 0))
  if (sums === null) return null
  // Facts without requests of the crawler yield no such row.
  const { status_counts, statuses, status_requests } = shown[0] ?? NO_PAGES
  const counts = new Uint16Array(bytesOfHex(status_counts))
  const status_from = new Uint32Array(counts.length + 1)
  counts.forEach((count, at) => {
    status_from[at + 1] = (status_from[at] as number) + count
  })
  return {
    ...sums,
    totals: rows
      .filter(({ part }) => part !== 'pages')
      .map(({ part, date, status, identity, requests }) => ({ part, date, status, identity, requests })),
    status_from,
    statuses: new Uint16Array(bytesOfHex(statuses)),
    status_requests: new Float64Array(bytesOfHex(status_requests)),
  }
}

const NO_PAGES = { status_counts: '', statuses: '', status_requests: '' }

const BYTES_A_TOTAL = 200

const sizeOfDetails = ({ totals, status_from, statuses, status_requests }: CrawlerSums): number =>
  totals.length * BYTES_A_TOTAL + status_from.byteLength + statuses.byteLength + status_requests.byteLength

/** Requests of a page by status over all parts, ascending; those whose response was not observed are last. */
function statusesOf(parts: readonly CrawlerSums[], page_id: string): [number, number][] {
  const found = new Map<number, number>()
  for (const part of parts) {
    const index = indexOfPage(part, page_id)
    if (index === -1) continue
    for (let at = part.status_from[index] as number; at < (part.status_from[index + 1] as number); at++) {
      const status = part.statuses[at] as number
      const known = found.get(status)
      const requests = part.status_requests[at] as number
      found.set(status, known === undefined ? requests : known + requests)
    }
  }
  return [...found].sort(([a], [b]) => Number(a === 0) - Number(b === 0) || a - b)
}
