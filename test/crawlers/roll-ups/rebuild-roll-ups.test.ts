/** Roll-ups of crawlers say the same as the facts that they are derived from. */
import fc from 'fast-check'
import Type from 'typebox'
import { beforeEach, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { count, rows, tuples, uuid } from '#evidence/sql.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'

let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
})

const Outcome = Type.Object({
  key: Type.String(),
  requests: count(),
  first_at: Type.String(),
  last_at: Type.String(),
})

/** Everything that detection counts by, of the builds that count and of the facts. */
async function outcomes(site_id: string) {
  const { evidence } = service.crawlers
  const { db } = service.installation.control
  const builds = await db.selectFrom('builds').select(['day', 'build']).where('site_id', '=', site_id).execute()
  const counting = tuples(
    'Tuple(Date, UInt64)',
    builds.map(({ day, build }) => [day, String(build)]),
  )
  const derived = await evidence.all(rows(Outcome)`
    SELECT concat(toString(day), ' ', toString(source_id), ' ', host, ' ', toString(page_id), ' ', toString(agent_key), ' ', toString(status), ' ',
        toString(method_class), ' ', ifNull(toString(edge_action), 'unsaid')) AS key,
      sum(requests) AS requests, toString(min(first_at)) AS first_at, toString(max(last_at)) AS last_at
    FROM spoor.page_outcomes_daily WHERE site_id = ${uuid(site_id)} AND (day, build) IN ${counting}
    GROUP BY key ORDER BY key`)
  const facts = await evidence.all(rows(Outcome)`
    SELECT concat(toString(day), ' ', toString(source_id), ' ', host, ' ', toString(page_id), ' ', toString(agent_key), ' ', toString(status), ' ',
        if(method IN ('GET', 'HEAD'), lower(method), 'other'), ' ', ifNull(toString(edge_action), 'unsaid')) AS key,
      sum(requests) AS requests, toString(min(at)) AS first_at, toString(max(at)) AS last_at
    FROM spoor.requests FINAL WHERE site_id = ${uuid(site_id)}
    GROUP BY key ORDER BY key`)
  return { derived, facts }
}

const requests = fc.record({
  day: fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-09', '2026-03-10'),
  crawler: fc.constantFrom('gptbot', 'oai-searchbot'),
  path: fc.constantFrom('/', '/a', '/b'),
  status: fc.constantFrom(200, 404, 503, null),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS'),
  from: fc.constantFrom('00:00', '11:30'),
  count: fc.integer({ min: 1, max: 4 }),
})

test('outcomes by page are those of the facts, whatever arrives and however often it is derived', async () => {
  let sites = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(requests, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (imports) => {
        const site = await service.addSite(`outcomes-${sites++}.example`)
        for (const part of imports) {
          const log = history()
          for (const { day, crawler, count: n, ...options } of part) log.on(day).crawler(crawler).requests(n, options)
          await service.importText(site, log)
          await service.rebuild()
          const { derived, facts } = await outcomes(site.id)
          expect(derived).toEqual(facts)
          expect(derived.length).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: 8 },
  )
})
