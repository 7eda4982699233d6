import type { PageDetail, PageDetailInput } from '#contract/dashboard-api/index.ts'
import { type Identity, PURPOSES, type Purpose } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import { publish, verdictOfPage } from './coverage/publish-count.ts'
import { foldDays } from './daily-breakdown.ts'
import { foldOutcomes } from './http-outcomes.ts'
import { namedPage, pageDetails } from './page-detail.sql.ts'
import { isEmpty } from './scope.sql.ts'

/**
 * One page in the window: its requests by day and outcome, its crawlers and their statuses (decisions 7.4), of one
 * crawler or of all. No purpose filter applies, because the caller names the page.
 * @throws Refusal not_found: the site has no evidence of the page.
 */
export async function readCrawledPage(
  ctx: SiteContext,
  { window, host, path, crawler_id }: PageDetailInput,
): Promise<PageDetail> {
  const address = { site_id: ctx.site.id, host: host.toLowerCase(), path }
  const [name] = await ctx.evidence.all(namedPage(address))
  if (name === undefined) {
    throw new Refusal('not_found', `No evidence of the site names the page ${quoted(path)} of ${quoted(host)}.`)
  }
  return withReading(ctx, { window, purpose: PURPOSES }, async (reading) => {
    const { meta, scope } = reading
    const details = isEmpty(scope) ? [] : await ctx.evidence.all(pageDetails(scope, address, crawler_id ?? null))
    const daily = details.filter(({ part }) => part === 'daily')
    const byCrawler = Map.groupBy(
      details.filter(({ part }) => part === 'crawler'),
      ({ crawler_id }) => crawler_id,
    )
    return {
      meta,
      host: address.host,
      path,
      ...name,
      observed_request_count: publish(verdictOfPage(reading, [address.host]), sum(daily)),
      daily_outcomes: foldDays(daily),
      http_outcomes: outcomesOf(daily),
      crawlers: [...byCrawler]
        .map(([crawler_id, of]) => ({
          crawler_id,
          purpose: of[0]?.purpose as Purpose,
          observed_request_count: sum(of),
          identities: [...Map.groupBy(of, ({ identity }) => identity)].map(([identity, rows]) => ({
            identity: identity as Identity,
            observed_request_count: sum(rows),
            http_outcomes: outcomesOf(rows),
          })),
          http_outcomes: outcomesOf(of),
        }))
        .sort((a, b) => b.observed_request_count - a.observed_request_count),
    }
  })
}

const outcomesOf = (rows: readonly { status: number; requests: number }[]) =>
  foldOutcomes(
    [...Map.groupBy(rows, ({ status }) => status)]
      .sort(([a], [b]) => a - b)
      .map(([status, of]) => ({ status, counted: sum(of) })),
  )

const sum = (rows: readonly { requests: number }[]): number => rows.reduce((total, row) => total + row.requests, 0)
