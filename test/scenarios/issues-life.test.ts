/** Days of simulated time in the life of issues (rules 8.1, 8.2). */
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, instantText, MINUTE_MS } from '#clock.ts'
import type { Issue } from '#contract/site-api/index.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { sql, text } from '#evidence/sql.ts'
import { queueInspections } from '#inspections/queue.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { type Delivered, deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { endInspections, visit } from '../support/issues.ts'
import { addLiveSource } from '../support/live-evidence.ts'
import type { TestService } from '../support/service.ts'

const CLAUDEBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)'
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.4; +https://openai.com/gptbot'
const START = Date.parse('2026-03-10T12:00:00Z')

const file = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await file.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const send = (...delivered: Delivered[]) => deliver(service, site, delivered)
const requests = (count: number, status: number, given: Partial<Delivered> = {}): Delivered[] =>
  Array.from({ length: count }, (_one, index) => ({
    user_agent: CLAUDEBOT,
    path: '/pricing',
    status,
    at: service.clock.now() - index * 1000,
    ...given,
  }))
/** Days without harm before: the page is known to be open, and in use. */
const inUse = async (path = '/pricing', user_agent = CLAUDEBOT) => {
  for (const days of [5, 4, 3]) await send(...requests(5, 200, { path, user_agent, at: START - days * DAY_MS }))
}
const goTo = (ms: number) => service.clock.set(instantText(START + ms))
async function detect(): Promise<Issue[]> {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
  const { json } = await service.ask('/v1/sites/example.com/issues?limit=50')
  return json.issues as Issue[]
}
const inspect = (...[found, result]: [Parameters<typeof endInspections>[2], Parameters<typeof endInspections>[3]?]) =>
  endInspections({ ...service.crawlers }, site, found, result)
const only = (issues: readonly Issue[]): Issue => {
  expect(issues).toHaveLength(1)
  return issues[0] as Issue
}

test('a WAF refuses ClaudeBot, the rule is lifted, ClaudeBot succeeds, the harm returns', async () => {
  await inUse()
  await send(...requests(41, 403), ...requests(4, 200, { at: START - HOUR_MS }))
  const opened = only(await detect())
  expect(opened).toMatchObject({
    title: 'Requests naming ClaudeBot got 403 on 41 of 60 observed requests to example.com/pricing, 10 Mar 2026',
    state: 'open',
    cause: 'http_status',
    confidence: 'low',
    path: '/pricing',
    crawler_id: 'claudebot',
    detected_at: '2026-03-10T12:00:00.000Z',
    fix_confirmed_at: null,
    host: 'example.com',
    harm: 'refused',
    evidence_refs: [
      {
        kind: 'rollup_daily',
        host: 'example.com',
        path_key: '/pricing',
        status: 403,
        count: 41,
        window: '2026-03-10/2026-03-10',
      },
    ],
  })
  expect(opened.fix_prompt).toContain('2026-03-10,403,41')

  goTo(MINUTE_MS)
  const challenged = visit({
    final_status: 403,
    is_served: false,
    challenge: { state: 'detected', vendor: 'cloudflare', signals: [] },
  })
  expect(await inspect('harmed', { as_crawler: challenged })).toBe(1)
  const reproduced = only(await detect())
  expect(reproduced).toMatchObject({ state: 'open', cause: 'waf_or_challenge', title: opened.title })
  expect(reproduced.evidence_refs.map(({ kind }) => kind)).toEqual(['rollup_daily', 'inspection'])
  expect(reproduced.fix_prompt).toContain('event log')

  // The rule is lifted; one clean inspection is not enough while the harm is younger than a day.
  goTo(HOUR_MS + MINUTE_MS)
  await inspect('clean')
  expect(only(await detect()).state).toBe('open')
  goTo(2 * HOUR_MS + 2 * MINUTE_MS)
  expect(await inspect('clean')).toBe(1)
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })

  goTo(3 * HOUR_MS)
  await send(...requests(2, 200))
  expect(only(await detect()).fix_confirmed_at).toBeNull()
  goTo(4 * HOUR_MS)
  await send(...requests(2, 200))
  const third = instantText(START + 4 * HOUR_MS - 1000)
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: third })

  goTo(3 * DAY_MS)
  await send(...requests(4, 402))
  const regressed = only(await detect())
  expect(regressed).toMatchObject({ id: opened.id, state: 'regressed', fix_confirmed_at: null })
  expect(regressed.detected_at).toBe(opened.detected_at)
  expect(regressed.title).toBe(
    'Requests naming ClaudeBot got 402 on 4 of 8 observed requests to example.com/pricing, 13 Mar 2026',
  )
  expect(regressed.evidence_refs).toHaveLength(3)
  const { changes, inspections } = await runOperation(service.installation.operator, 'issue.show', {
    site: site.id,
    issue: opened.id,
  })
  expect(changes.map(({ change }) => change)).toEqual(['opened', 'fix_detected', 'fix_confirmed', 'regressed'])
  expect(inspections.at(-1)).toMatchObject({ reason: 'baseline', state: 'queued' })
})

test('the code of an error page, once an inspection has read it, says what 530 does not', async () => {
  await send(...requests(5, 530))
  expect(only(await detect())).toMatchObject({ cause: 'unknown', fix_prompt: null })
  goTo(MINUTE_MS)
  const challenge = { state: 'not_detected' as const, vendor: null, signals: [], error_code: 1016 }
  await inspect('harmed', { as_crawler: visit({ final_status: 530, is_served: false, challenge }) })
  const named = only(await detect())
  expect(named).toMatchObject({ cause: 'dns', title: expect.stringContaining('got 530 on 5 of 5') })
  expect(named.fix_prompt).toContain('DNS records')
})

test('detection repeated changes nothing', async () => {
  await inUse()
  await send(...requests(20, 403, { at: START - DAY_MS }), ...requests(1, 200))
  await service.rebuild()
  await detectIssues(service.crawlers, site.id, ['2026-03-10'])
  expect(await service.crawlers.control.db.selectFrom('issues').select('id').execute()).toEqual([])
  await detectIssues(service.crawlers, site.id, ['2026-03-09'])
  const first = await detect()
  expect(first).toHaveLength(1)
  expect(await detect()).toEqual(first)
  const rows = await service.crawlers.control.db.selectFrom('issues').selectAll().execute()
  expect(rows.map(({ revision }) => revision)).toEqual([1])
})

test('a day that is derived after the harm, and shows that the page was open before it, opens the issue', async () => {
  const refused = { path: '/refused', at: START - DAY_MS }
  const gone = { path: '/gone', at: START - DAY_MS }
  await send(...requests(3, 403, refused), ...requests(3, 404, gone))
  await service.rebuild()
  await detectIssues(service.crawlers, site.id, ['2026-03-09'])
  const listed = async () => {
    const { json } = await service.ask('/v1/sites/example.com/issues?limit=50')
    return (json.issues as Issue[]).map(({ path }) => path).sort()
  }
  expect(await listed()).toEqual([])
  // Newest days are derived first, and older logs may be imported later.
  await send(...requests(1, 200, { path: '/refused', at: START - 30 * DAY_MS }))
  for (const days of [20, 10]) await send(...requests(5, 200, { path: '/gone', at: START - days * DAY_MS }))
  await service.rebuild()
  await detectIssues(service.crawlers, site.id, ['2026-02-08'])
  expect(await listed()).toEqual(['/gone', '/refused'])
})

test('a user-agent block that our own agent does not meet closes by a quiet day of success alone', async () => {
  await inUse()
  await send(...requests(30, 403))
  await detect()
  goTo(MINUTE_MS)
  await inspect('served_to_us_only')
  expect(only(await detect())).toMatchObject({ state: 'open', cause: 'http_status' })
  goTo(DAY_MS)
  await send(...requests(4, 200, { at: START + 8 * HOUR_MS }))
  await inspect('served_to_us_only')
  expect(only(await detect()).state).toBe('open')
  goTo(DAY_MS + HOUR_MS)
  await send(...requests(1, 200))
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
})

test('after harm that is known to the hour, a quiet day begins with the end of that hour', async () => {
  await inUse()
  await send(...requests(30, 403, { precision: 'hour', at: START }))
  await detect()
  goTo(MINUTE_MS)
  await inspect('served_to_us_only')
  goTo(DAY_MS + 59 * MINUTE_MS)
  await send(...requests(4, 200))
  await detect()
  await inspect('served_to_us_only')
  expect(only(await detect()).state).toBe('open')
  goTo(DAY_MS + HOUR_MS)
  expect(only(await detect()).state).toBe('fix_detected')
})

test('successes of two days confirm a fix of a page that was served in between its refusals', async () => {
  await inUse()
  await send(...requests(20, 403, { at: START - HOUR_MS }), ...requests(4, 200, { at: START - 2 * HOUR_MS }))
  await detect()
  for (const [minutes, found] of [
    [1, 'harmed'],
    [61, 'clean'],
    [122, 'clean'],
  ] as const) {
    goTo(minutes * MINUTE_MS)
    await inspect(found)
    await detect()
  }
  goTo(3 * HOUR_MS)
  await send(...requests(1, 200))
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
  goTo(DAY_MS + HOUR_MS)
  await send(...[1, 2, 3].flatMap((second) => requests(1, 200, { at: service.clock.now() + second * 1000 })))
  goTo(2 * DAY_MS)
  // The first day shows one success, and the second hides the third in its sum.
  expect(only(await detect()).fix_confirmed_at).toBe(instantText(START + DAY_MS + HOUR_MS + 2000))
})

test('an issue that names an ended one before it names it even if it regresses', async () => {
  await inUse()
  await send(...requests(20, 403))
  const first = only(await detect())
  const earlier = `An earlier issue about this has ended: ${first.id}.`
  goTo(90 * DAY_MS)
  expect(await detect()).toEqual([])
  await send(...requests(5, 200, { at: START + 88 * DAY_MS }), ...requests(20, 403))
  const second = only(await detect())
  expect(second.description).toContain(earlier)
  for (const [hours, found] of [
    [1, 'harmed'],
    [26, 'clean'],
  ] as const) {
    goTo(90 * DAY_MS + hours * HOUR_MS)
    await inspect(found)
    await detect()
  }
  goTo(92 * DAY_MS)
  await send(...requests(20, 403))
  const regressed = only(await detect())
  expect(regressed).toMatchObject({ id: second.id, state: 'regressed' })
  expect(regressed.description).toContain(earlier)
})

test('spoofed requests neither open an issue nor confirm a fix, and are shown separately', async () => {
  const list = 'https://openai.com/gptbot.json'
  await runOperation(service.installation.operator, 'registry.lists.import', {
    list,
    document: Buffer.from('20.125.66.0/24').toString('base64'),
    is_whole_as: false,
  })
  const genuine = { user_agent: GPTBOT, address: '20.125.66.85' }
  const spoofed = { user_agent: GPTBOT, address: '198.51.100.23' }
  await send(...requests(3, 403, { ...spoofed, path: '/other' }))
  expect(await detect()).toEqual([])
  const { impostor_refusals } = await runOperation(service.installation.operator, 'issue.list', { site: site.id })
  expect(impostor_refusals).toEqual([
    {
      host: 'example.com',
      path: '/other',
      crawler_id: 'gptbot',
      requests: 3,
      first_day: '2026-03-10',
      last_day: '2026-03-10',
    },
  ])

  for (const days of [3, 2]) await send(...requests(5, 200, { ...genuine, at: START - days * DAY_MS }))
  await send(...requests(12, 403, genuine))
  expect(only(await detect())).toMatchObject({
    title: 'GPTBot got 403 on 12 of 22 observed requests to example.com/pricing, 10 Mar 2026',
    confidence: 'high',
  })
  goTo(MINUTE_MS)
  await inspect('harmed')
  await detect()
  goTo(25 * HOUR_MS)
  await inspect('clean')
  expect(only(await detect()).state).toBe('fix_detected')
  goTo(26 * HOUR_MS)
  await send(...requests(3, 200, spoofed))
  expect(only(await detect()).fix_confirmed_at).toBeNull()
  goTo(27 * HOUR_MS)
  await send(...requests(3, 200, genuine))
  expect(only(await detect()).fix_confirmed_at).not.toBeNull()
})

test('a prefix with one member that is still refused is neither fixed by the others nor confirmed', async () => {
  const paths = ['/docs/a', '/docs/b', '/docs/c', '/docs/d', '/docs/e']
  for (const path of paths) await send(...requests(2, 200, { path, at: START - 3 * DAY_MS }))
  for (const path of paths) await send(...requests(4, 403, { path }))
  const prefix = only(await detect())
  expect(prefix).toMatchObject({
    path: '/docs/*',
    title:
      'Requests naming ClaudeBot got 403 on 20 of 30 observed requests to 5 paths under example.com/docs/, 10 Mar 2026',
  })
  goTo(MINUTE_MS)
  expect(await inspect('harmed')).toBe(3)
  await detect()
  goTo(25 * HOUR_MS)
  await inspect('clean')
  expect(only(await detect()).state).toBe('fix_detected')
  goTo(26 * HOUR_MS)
  for (const path of paths.slice(0, 4)) await send(...requests(2, 200, { path }))
  await send(...requests(1, 403, { path: '/docs/e' }))
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
  goTo(27 * HOUR_MS)
  for (const path of paths) await send(...requests(1, 200, { path }))
  expect(only(await detect())).toMatchObject({ state: 'fix_detected' })
  expect(only(await detect()).fix_confirmed_at).not.toBeNull()
})

test('harm that spreads below a prefix becomes its issue at the fifth path, and new paths make a fixed prefix regress', async () => {
  const pages = (from: number, count: number) => Array.from({ length: count }, (_one, index) => `/docs/${from + index}`)
  const refuse = async (paths: readonly string[]) => {
    for (const path of paths) await send(...requests(3, 503, { path }))
    return (await detect()).map(({ path, state }) => `${path} ${state}`).sort()
  }
  const single = pages(0, 4).map((path) => `${path} open`)
  expect(await refuse(pages(0, 4))).toEqual(single)
  expect(await refuse(pages(4, 2))).toEqual(['/docs/* open', ...single])
  goTo(MINUTE_MS)
  await inspect('harmed')
  await detect()
  goTo(25 * HOUR_MS)
  await inspect('clean')
  expect(new Set((await detect()).map(({ state }) => state))).toEqual(new Set(['fix_detected']))
  goTo(26 * HOUR_MS)
  await refuse(pages(10, 5))
  expect(await refuse([])).toContain('/docs/* regressed')
})

test('an open prefix follows further paths only where their harm counts, and none that another prefix follows', async () => {
  const list = (folder: string, names: string) => [...names].map((name) => `${folder}${name}`)
  for (const path of list('/docs/', 'abcdef')) await send(...requests(2, 200, { path, at: START - 3 * DAY_MS }))
  for (const path of list('/docs/', 'abcde')) await send(...requests(3, 403, { path }))
  expect(only(await detect()).path).toBe('/docs/*')
  const members = async (key: string) => {
    const { db } = service.crawlers.control
    const rows = await db
      .selectFrom('issue_members')
      .innerJoin('issues', 'issues.id', 'issue_members.issue_id')
      .select('issue_members.path')
      .where('issues.path_key', '=', key)
      .execute()
    return rows.map(({ path }) => path).sort()
  }
  // `/docs/f` was open before. `/docs/never` has never answered 200, so an inspection decides. `/docs/meant` is marked
  // as intended.
  await runOperation(service.installation.operator, 'issue.intended', {
    site: site.id,
    host: 'example.com',
    path: '/docs/%6Deant',
    harm: 'refused',
  })
  for (const path of ['/docs/f', '/docs/never', '/docs/meant']) await send(...requests(3, 403, { path }))
  await detect()
  expect(await members('/docs/*')).toEqual(list('/docs/', 'abcdef'))
  const { db } = service.crawlers.control
  const { id: issue } = await db
    .selectFrom('issues')
    .select('id')
    .where('path_key', '=', '/docs/*')
    .executeTakeFirstOrThrow()
  const shown = await runOperation(service.installation.operator, 'issue.show', { site: site.id, issue })
  expect([shown.path_count, shown.paths.length]).toEqual([6, 6])
  const asked = await service.crawlers.control.db
    .selectFrom('inspections')
    .select(['path', 'reason'])
    .where('reason', '=', 'precondition')
    .execute()
  expect(asked).toEqual([{ path: '/docs/never', reason: 'precondition' }])

  for (const path of [...list('/', 'abcde'), ...list('/shop/', 'abcde')]) await send(...requests(3, 503, { path }))
  await detect()
  await send(...requests(3, 503, { path: '/shop/f' }), ...requests(3, 503, { path: '/other/page' }))
  await detect()
  await detect()
  expect(await members('/shop/*')).toEqual(list('/shop/', 'abcdef'))
  expect(await members('/*')).toEqual([...list('/', 'abcde'), '/other/page'])
})

test('a path that ends with * stands for itself alone, and hides no harm below it', async () => {
  await send(...requests(3, 503, { path: '/docs/*' }))
  expect(only(await detect())).toMatchObject({
    path: '/docs/%2A',
    title: 'Requests naming ClaudeBot got 503 on 3 of 3 observed requests to example.com/docs/%2A, 10 Mar 2026',
  })
  await send(...requests(3, 503, { path: '/docs/a' }))
  expect((await detect()).map(({ path }) => path).sort()).toEqual(['/docs/%2A', '/docs/a'])
  expect((await detect()).map(({ path }) => path).sort()).toEqual(['/docs/%2A', '/docs/a'])
})

test('a path that is marked as intended keeps the issue of its prefix neither open nor repaired', async () => {
  const paths = [...'abcdef'].map((name) => `/docs/${name}`)
  for (const path of paths) await send(...requests(2, 200, { path, at: START - 3 * DAY_MS }))
  for (const path of paths) await send(...requests(3, 403, { path }))
  const { id } = only(await detect())
  const { operator } = service.installation
  const show = () => runOperation(operator, 'issue.show', { site: site.id, issue: id })
  expect(await show()).toMatchObject({ path_count: 6, issue: { path: '/docs/*', state: 'open' } })
  const mark = (path: string) =>
    runOperation(operator, 'issue.intended', { site: site.id, host: 'example.com', path, harm: 'refused' })
  const { id: first } = await mark('/docs/f')
  expect(await show()).toMatchObject({ path_count: 5, paths: paths.slice(0, 5), issue: { state: 'open' } })
  goTo(MINUTE_MS)
  await inspect('harmed')
  await detect()
  goTo(25 * HOUR_MS)
  await inspect('clean')
  expect(only(await detect())).toMatchObject({ id, state: 'fix_detected' })
  goTo(26 * HOUR_MS)
  for (const path of paths.slice(0, 5)) await send(...requests(1, 200, { path }))
  // What is intended goes on: it is not a harm.
  await send(...requests(3, 403, { path: '/docs/f' }))
  const fixed = only(await detect())
  expect(fixed).toMatchObject({ id, state: 'fix_detected', fix_confirmed_at: expect.any(String) })
  for (const path of paths.slice(0, 4)) await mark(path)
  expect(await show()).toMatchObject({ paths: ['/docs/e'], issue: { state: 'fix_detected' } })
  await mark('/docs/e')
  expect(await detect()).toEqual([])
  expect((await show()).issue).toMatchObject({ state: 'withdrawn' })
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark: first })
  goTo(27 * HOUR_MS)
  await send(...requests(3, 403, { path: '/docs/f' }))
  expect(only(await detect())).toMatchObject({ path: '/docs/f', state: 'open' })
})

test('harm at a path whose mark was revoked is followed by the open issue of its prefix', async () => {
  const paths = [...'abcdef'].map((name) => `/docs/${name}`)
  for (const path of paths) await send(...requests(2, 200, { path, at: START - 3 * DAY_MS }))
  for (const path of paths) await send(...requests(3, 403, { path }))
  const { id } = only(await detect())
  const { operator } = service.installation
  const followed = async () => (await runOperation(operator, 'issue.show', { site: site.id, issue: id })).paths
  const given = { site: site.id, host: 'example.com', path: '/docs/f', harm: 'refused' } as const
  const { id: mark } = await runOperation(operator, 'issue.intended', given)
  expect(await followed()).toEqual(paths.slice(0, 5))
  goTo(HOUR_MS)
  await send(...requests(3, 403, { path: '/docs/f' }))
  await detect()
  expect(await followed()).toEqual(paths.slice(0, 5))
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark })
  await detect()
  expect(await followed()).toEqual(paths.slice(0, 5))
  goTo(2 * HOUR_MS)
  await send(...requests(3, 403, { path: '/docs/f' }))
  expect(only(await detect())).toMatchObject({ id, path: '/docs/*', state: 'open' })
  expect(new Set(await followed())).toEqual(new Set(paths))
})

test('days counted by a source that sees the origin neither fix nor confirm what the edge refused', async () => {
  const edge = (...delivered: Delivered[]) => deliver(service, site, delivered, 'ed9e0000')
  for (const days of [3, 2]) await edge(...requests(5, 200, { at: START - days * DAY_MS, edge_action: 'none' }))
  await edge(...requests(12, 403, { edge_action: 'block' }))
  expect(only(await detect())).toMatchObject({ cause: 'waf_or_challenge' })
  goTo(MINUTE_MS)
  await inspect('not_possible')
  await detect()
  // From the next day on only the log of the origin counts.
  goTo(2 * DAY_MS)
  await send(...requests(9, 200))
  const silent = only(await detect())
  expect(silent.state).toBe('open')
  expect(silent.description).toContain('another side of the site')
})

/** Another registry would give the agents of one crawler to another. */
const relabel = (from: string, to: string) =>
  service.crawlers.evidence.run(sql`
    INSERT INTO spoor.agent_labels (registry_version, agent_key, crawler_id, purpose, identity, scope)
    SELECT registry_version, agent_key, ${text(to)}, purpose, identity, scope
    FROM spoor.agent_labels FINAL WHERE crawler_id = ${text(from)}`)

test('a re-labelling withdraws an issue, which stays readable and claims no fix', async () => {
  const operator = service.installation.operator
  await inUse('/pricing', GPTBOT)
  await send(...requests(16, 403, { user_agent: GPTBOT }))
  const { id } = only(await detect())
  await relabel('gptbot', 'oai-searchbot')
  const issues = await detect()
  await relabel('oai-searchbot', 'gptbot')
  expect(issues.map((issue) => issue.id)).not.toContain(id)
  const shown = await runOperation(operator, 'issue.show', { site: site.id, issue: id })
  expect(shown.issue).toMatchObject({ state: 'withdrawn', fix_confirmed_at: null })
  expect(shown.issue.description).toContain('no longer meet the rule')
  expect(shown.changes.at(-1)?.change).toBe('withdrawn')
})

test('an outage of thousands of directories is a handful of issues', async () => {
  const agents = ['claudebot', 'gptbot', 'perplexitybot'].map(
    (id) => builtInDocument.entries.find(({ crawler_id }) => crawler_id === id)?.example_user_agents[0] as string,
  )
  const delivered = Array.from({ length: 5_000 }, (_one, index) =>
    agents.map((user_agent) => ({
      user_agent,
      path: `/shop/item-${index}/`,
      status: 503,
      requests: 3,
      at: START - (index % 600) * 1000,
    })),
  ).flat()
  await send(...delivered)
  const outage = only(await detect())
  expect(outage).toMatchObject({ path: '/shop/*', crawler_id: null, cause: 'origin_error' })
  expect(outage.title).toBe(
    'Requests naming 3 crawlers got 503 on 45000 of 45000 observed requests to 5000 paths under example.com/shop/, 10 Mar 2026',
  )
  expect(outage.description).toContain('ClaudeBot 15000, GPTBot 15000, PerplexityBot 15000')
})

test('harm that the owner marks as intended opens no issue, and evidence after a revocation opens a new one', async () => {
  await inUse()
  await send(...requests(20, 403))
  const { id } = only(await detect())
  const operator = service.installation.operator
  const mark = await runOperation(operator, 'issue.intended', {
    site: site.id,
    host: 'example.com',
    path: '/pricing',
    harm: 'refused',
    crawler: 'claudebot',
  })
  expect(await detect()).toEqual([])
  expect((await runOperation(operator, 'issue.show', { site: site.id, issue: id })).issue).toMatchObject({
    state: 'withdrawn',
    fix_confirmed_at: null,
  })
  goTo(HOUR_MS)
  await send(...requests(5, 403))
  expect(await detect()).toEqual([])
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark: mark.id })
  expect(await detect()).toEqual([])
  goTo(DAY_MS)
  await send(...requests(3, 403))
  const anew = only(await detect())
  expect(anew.id).not.toBe(id)
  expect(anew.description).toContain(id)
  await expect(
    runOperation(operator, 'issue.intended', { site: site.id, host: 'example.com', path: '*.pdf', harm: 'refused' }),
  ).rejects.toThrow('allowed is a path without a query')
  await expect(
    runOperation(operator, 'issue.intended', { site: site.id, host: 'example.com', path: '/a?b', harm: 'refused' }),
  ).rejects.toThrow('without a query')
  const pattern = { site: site.id, host: 'example.com', path: '*.pdf$', harm: 'robots' } as const
  expect(await runOperation(operator, 'issue.intended', pattern)).toMatchObject({ path_key: '*.pdf$' })
})

test('a path that was never open waits for an inspection', async () => {
  await send(...requests(5, 403, { path: '/members' }))
  expect(await detect()).toEqual([])
  const [waiting] = await service.crawlers.control.db.selectFrom('inspections').selectAll().execute()
  expect(waiting).toMatchObject({ reason: 'precondition', path: '/members', crawler_id: null, weight: 5 })
  goTo(MINUTE_MS)
  await inspect('harmed', { as_ourselves: visit({ final_status: 403, is_served: false }) })
  expect(await detect()).toEqual([])
  await send(...requests(5, 403, { path: '/public' }))
  await detect()
  goTo(2 * MINUTE_MS)
  await inspect('clean')
  expect(only(await detect())).toMatchObject({ path: '/public' })
})

test('a missing page matters where it was in use', async () => {
  await send(...requests(5, 404, { path: '/never' }))
  for (const days of [4, 3]) await send(...requests(5, 200, { path: '/moved', at: START - days * DAY_MS }))
  await send(...requests(10, 404, { path: '/moved' }))
  expect(only(await detect())).toMatchObject({ path: '/moved', harm: 'gone', cause: 'http_status' })
})

test('a host whose certificate expired and whose logs fell silent is unreachable until it is reached and answers', async () => {
  await inUse()
  const { control, clock } = service.crawlers
  const look = async (result: Parameters<typeof endInspections>[3]) => {
    const home = { site_id: site.id, host: 'example.com', path: '/', crawler_id: null, issue_id: null }
    const waiting = await control.db.selectFrom('inspections').select('id').where('state', '=', 'queued').execute()
    if (waiting.length === 0) await queueInspections(control.db, [{ ...home, reason: 'home' }], clock.now())
    await endInspections({ control, clock }, site, result?.unreachable == null ? 'clean' : 'harmed', result)
  }
  const expired = {
    unreachable: { stage: 'certificate', code: 'CERT_HAS_EXPIRED', is_outside_reached: true },
    as_ourselves: null,
    as_crawler: null,
    is_clean: false,
  } as const
  goTo(-HOUR_MS)
  await look({})
  goTo(0)
  await look(expired)
  expect(await detect()).toEqual([])
  // Ten minutes later the failure has lasted.
  goTo(11 * MINUTE_MS)
  await look(expired)
  const issue = only(await detect())
  expect(issue).toMatchObject({
    title: 'Inspections of example.com over https failed at the certificate (CERT_HAS_EXPIRED), 10 Mar 2026',
    harm: 'unreachable',
    cause: 'tls',
    confidence: 'low',
    path: null,
    crawler_id: null,
    state: 'open',
  })
  expect(issue.evidence_refs.map(({ kind }) => kind)).toEqual(['inspection', 'inspection'])
  for (const hours of [25, 27]) {
    goTo(hours * HOUR_MS)
    await look({})
  }
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
  goTo(28 * HOUR_MS)
  await send(...requests(1, 200))
  expect(only(await detect()).fix_confirmed_at).toBe(instantText(START + 28 * HOUR_MS))
  goTo(50 * HOUR_MS)
  await look(expired)
  goTo(51 * HOUR_MS)
  await look(expired)
  expect(only(await detect())).toMatchObject({ id: issue.id, state: 'regressed', fix_confirmed_at: null })
  const operator = service.installation.operator
  const mark = await runOperation(operator, 'issue.intended', {
    site: site.id,
    host: 'example.com',
    path: '/',
    harm: 'unreachable',
  })
  expect(await detect()).toEqual([])
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark: mark.id })
  expect(await detect()).toEqual([])
  // The next look is due an hour after the last one.
  for (const minutes of [1, 12]) {
    goTo(52 * HOUR_MS + minutes * MINUTE_MS)
    await look(expired)
  }
  const anew = only(await detect())
  expect(anew).toMatchObject({ state: 'open', description: expect.stringContaining(issue.id) })
})

test('a host that answers requests is reachable, whatever an inspection met', async () => {
  await inUse()
  const { control, clock } = service.crawlers
  const unreachable = { stage: 'connection', code: 'ECONNREFUSED', is_outside_reached: true } as const
  for (const minutes of [0, 15]) {
    goTo(minutes * MINUTE_MS)
    const home = { site_id: site.id, host: 'example.com', path: '/', crawler_id: null, issue_id: null }
    await queueInspections(control.db, [{ ...home, reason: 'home' }], clock.now())
    await endInspections({ control, clock }, site, 'harmed', { unreachable, as_crawler: null, as_ourselves: null })
  }
  await send(...requests(1, 500))
  expect(await detect()).toEqual([])
})

test('a verification inspects once a minute and reports the result', async () => {
  await inUse()
  await send(...requests(20, 403))
  const { id } = only(await detect())
  const verify = async () =>
    (await service.ask(`/v1/sites/example.com/issues/${id}/verify`, { method: 'POST' })).json as Issue & {
      verification: { state: string; inspection_id: string | null; next_at: string | null }
    }
  const asked = await verify()
  expect(asked).toMatchObject({ id, state: 'open', verification: { state: 'queued', next_at: null } })
  await inspect('harmed')
  expect((await verify()).verification).toEqual({
    state: 'deferred',
    inspection_id: asked.verification.inspection_id,
    next_at: '2026-03-10T12:01:00.000Z',
  })
  goTo(2 * MINUTE_MS)
  const again = await verify()
  expect(again.verification.state).toBe('queued')
  expect(again.verification.inspection_id).not.toBe(asked.verification.inspection_id)
})

test('a verification of an issue that is not there, or has ended, is 404 and says so', async () => {
  await inUse()
  await send(...requests(20, 403))
  const { id } = only(await detect())
  const verify = (issue: string) => service.ask(`/v1/sites/example.com/issues/${issue}/verify`, { method: 'POST' })
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await verify(unknown)).toMatchObject({
    status: 404,
    json: { detail: `The site has no issue with the id "${unknown}": GET /v1/sites/SITE/issues lists them.` },
  })
  await service.crawlers.control.db.updateTable('issues').set({ state: 'lapsed' }).where('id', '=', id).execute()
  expect(await verify(id)).toMatchObject({
    status: 404,
    json: { detail: `The issue ${id} has ended: it is lapsed.` },
  })
})

test('a path that is never fetched is listed so when it is due, and repaired by a quiet day of success', async () => {
  const path = '/reset/:redacted'
  await send(...requests(5, 503, { path }))
  const { id } = only(await detect())
  const { operator } = service.installation
  const show = () => runOperation(operator, 'issue.show', { site: site.id, issue: id })
  const listedAt = async () => (await show()).inspections.map(({ due_at }) => (Date.parse(due_at) - START) / HOUR_MS)
  for (const minutes of [1, 2, 3, 60, 61, 62]) {
    goTo(minutes * MINUTE_MS)
    await detect()
  }
  expect(await listedAt()).toEqual([0, 1])
  for (const hours of [24, 48]) {
    goTo(hours * HOUR_MS)
    await send(...requests(3, 200, { path }))
    await detect()
    await detect()
  }
  expect((await show()).issue.state).toBe('fix_detected')
})

test('a prefix with a path that is never fetched is repaired by a quiet day of success', async () => {
  const paths = ['a', 'b', 'c', 'd', ':redacted'].map((name) => `/user/${name}`)
  for (const path of paths) await send(...requests(path === '/user/:redacted' ? 9 : 3, 503, { path }))
  const { id } = only(await detect())
  goTo(MINUTE_MS)
  expect(await inspect('harmed')).toBe(2)
  await detect()
  for (const hours of [24, 48]) {
    goTo(hours * HOUR_MS)
    for (const path of paths) await send(...requests(1, 200, { path }))
    await inspect('clean')
    await detect()
  }
  expect(only(await detect())).toMatchObject({ id, path: '/user/*', state: 'fix_detected' })
})

test('an issue of several crawlers is inspected as the one that met most harm', async () => {
  const agentOf = (id: string) =>
    builtInDocument.entries.find(({ crawler_id }) => crawler_id === id)?.example_user_agents[0] as string
  for (const path of [...'abcde'].map((name) => `/shop/${name}`))
    for (const [crawler, count] of [
      ['claudebot', 9],
      ['gptbot', 6],
      ['perplexitybot', 3],
    ] as const)
      await send(...requests(count, 503, { path, user_agent: agentOf(crawler) }))
  expect(only(await detect())).toMatchObject({ path: '/shop/*', crawler_id: null })
  const { db } = service.crawlers.control
  const asked = await db.selectFrom('inspections').select('crawler_id').where('reason', '=', 'baseline').execute()
  expect(asked).toEqual(Array.from({ length: 3 }, () => ({ crawler_id: 'claudebot' })))
})

test('an unreachable host is looked at as often as the page of any issue', async () => {
  const { control } = service.crawlers
  const declared = await addLiveSource(service, site, 'https_intake')
  await declared.covered('2026-03-09T00:00:00Z', '2026-03-10T00:00:00Z', { host: 'example.com' })
  const unreachable = { stage: 'name' as const, code: 'ENOTFOUND', is_outside_reached: true }
  const fail = () => inspect('harmed', { unreachable, as_crawler: null, as_ourselves: null, is_clean: false })
  const home = { site_id: site.id, host: 'example.com', path: '/', crawler_id: null, issue_id: null }
  await queueInspections(control.db, [{ ...home, reason: 'home' }], service.clock.now())
  expect(await fail()).toBe(1)
  expect(await detect()).toEqual([])
  goTo(10 * MINUTE_MS)
  expect(await fail()).toBe(1)
  expect(only(await detect())).toMatchObject({ harm: 'unreachable', state: 'open' })
  await detect()
  const looked_at: number[] = []
  for (let hour = 1; hour <= 72; hour++) {
    goTo(10 * MINUTE_MS + hour * HOUR_MS)
    if ((await fail()) > 0) looked_at.push(hour)
    await detect()
  }
  expect(looked_at).toEqual([1, 6, 24, 48, 72])
})
