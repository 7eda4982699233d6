/** Hand-made answers: three days, of which one was watched in full, one partly and one not at all. */
import type { Coverage, DailyBreakdown, IssueList, PageDetail } from '#contract/dashboard-api/index.ts'
import type { Crawlers, Issue, Meta, Performance, TopPages } from '#contract/site-api/index.ts'

export const SITE = '00000000-0000-4000-8000-000000000001'
export const ISSUE = '00000000-0000-4000-8000-000000000002'
const AS_OF = '2026-11-21T08:14:00.000Z'

export const session = (role: 'owner' | 'editor' | 'viewer' = 'owner') => ({
  user: { id: SITE, email: 'owner@example.com', account_role: 'admin' },
  installation_role: null,
  account: { id: SITE, name: 'Example', status: 'active', access: 'subscription', access_ends_at: null },
  sites: [{ id: SITE, root_domain: 'example.com', role }],
  aliases: [],
  brands: [],
  confirmed_until: null,
  time_zone: 'UTC',
  as_of: AS_OF,
  is_clock_simulated: false,
  public_url: null,
  version: '0',
  theme: 'light',
})

export const meta = (over: Partial<Meta> = {}): Meta =>
  ({
    as_of: AS_OF,
    data_through: '2026-11-21T08:12:00.000Z',
    window: { from: '2026-11-19', to: '2026-11-21', days: 3 },
    coverage_state: 'partial',
    gaps: [{ from: '2026-11-20', to: '2026-11-20' }],
    sources: [],
    purpose_filter: ['search', 'assistant', 'unknown'],
    registry_version: '2026-11-18.2',
    ...over,
  }) as unknown as Meta

const day = (date: string, state: 'complete' | 'partial' | 'gap', minutes: number | null) => ({
  date,
  state,
  minutes,
  sampling: null,
  source_id: null,
  reasons: [],
})

export const coverage = (over: Partial<Meta> = {}): Coverage => ({
  meta: meta(over),
  days: [day('2026-11-19', 'complete', 1_440), day('2026-11-20', 'gap', null), day('2026-11-21', 'partial', 490)],
  limit: 50,
  returned_count: 0,
  total_count: 0,
  truncated: false,
  hosts: [],
})

/** No source ever covered anything. */
export const nothing = {
  meta: meta({ coverage_state: 'unknown', data_through: null, gaps: [{ from: '2026-11-19', to: '2026-11-21' }] }),
  coverage: (): Coverage => ({
    ...coverage({ coverage_state: 'unknown', data_through: null }),
    days: ['2026-11-19', '2026-11-20', '2026-11-21'].map((date) => day(date, 'gap', null)),
  }),
}

export const performance = (over: Partial<Performance> = {}): Performance => ({
  meta: meta(),
  observed_request_count: 12,
  daily: [
    { date: '2026-11-19', crawler_id: 'gptbot', observed_request_count: 7 },
    { date: '2026-11-21', crawler_id: 'gptbot', observed_request_count: 5 },
  ],
  http_outcomes: [
    { outcome: '2xx', observed_request_count: 12, statuses: [{ http_status: 200, observed_request_count: 12 }] },
  ],
  observed_by_scope: [{ scope: 'ai', observed_request_count: 12 }],
  observed_by_path_class: [{ path_class: 'content', observed_request_count: 12 }],
  hidden_by_purpose_filter: [],
  ...over,
})

export const crawlers = (over: Partial<Crawlers> = {}): Crawlers =>
  ({
    meta: meta(),
    crawlers: [
      {
        crawler_id: 'gptbot',
        display_name: 'GPTBot',
        platform: 'OpenAI',
        purpose: 'search',
        also_declared: [],
        scope: 'ai',
        observed_request_count: 12,
        observed_share: 1,
        identity: 'ua_identified',
        identities: { unknown: 0, ua_identified: 12, provider_verified: 0, network_verified: 0 },
        impostor_request_count: 3,
      },
    ],
    ...over,
  }) as unknown as Crawlers

export const topPages = (over: Partial<TopPages> = {}): TopPages =>
  ({
    meta: meta(),
    limit: 6,
    returned_count: 1,
    total_count: 1,
    truncated: false,
    pages: [
      {
        host: 'www.example.com',
        path: '/pricing',
        path_class: 'content',
        path_fidelity: 'exact',
        observed_request_count: 12,
        observed_share: 1,
        observed_crawler_count: 1,
        observed_response_count: 12,
      },
    ],
    ...over,
  }) as unknown as TopPages

export const page = (over: Partial<PageDetail> = {}): PageDetail => ({
  meta: meta(),
  host: 'www.example.com',
  path: '/pricing',
  path_class: 'content',
  path_fidelity: 'exact',
  observed_request_count: 9,
  daily_outcomes: [{ date: '2026-11-19', outcome: '4xx', observed_request_count: 9 }],
  http_outcomes: [
    { outcome: '4xx', observed_request_count: 9, statuses: [{ http_status: 403, observed_request_count: 9 }] },
  ],
  crawlers: [
    {
      crawler_id: 'gptbot',
      purpose: 'training',
      observed_request_count: 9,
      identities: [
        {
          identity: 'network_verified',
          observed_request_count: 6,
          http_outcomes: [
            { outcome: '4xx', observed_request_count: 6, statuses: [{ http_status: 403, observed_request_count: 6 }] },
          ],
        },
        {
          identity: 'unknown',
          observed_request_count: 3,
          http_outcomes: [
            { outcome: '4xx', observed_request_count: 3, statuses: [{ http_status: 403, observed_request_count: 3 }] },
          ],
        },
      ],
      http_outcomes: [
        { outcome: '4xx', observed_request_count: 9, statuses: [{ http_status: 403, observed_request_count: 9 }] },
      ],
    },
  ],
  ...over,
})

export const issue = (over: Partial<Issue> = {}): IssueList['issues'][number] => ({
  id: ISSUE,
  title: 'GPTBot got 403 on 9 of 9 observed requests to www.example.com/pricing, 19 Nov 2026',
  state: 'open',
  cause: 'waf_or_challenge',
  confidence: 'high',
  path: '/pricing',
  crawler_id: 'gptbot',
  detected_at: '2026-11-20T02:11:00.000Z',
  fix_confirmed_at: null,
  fix_prompt: 'Let GPTBot in.',
  evidence_refs: [
    {
      kind: 'rollup_daily',
      host: 'www.example.com',
      path_key: '/pricing',
      status: 403,
      count: 9,
      window: '2026-11-19/2026-11-19',
    },
  ],
  host: 'www.example.com',
  harm: 'refused',
  ...(over as object),
})

export const issueList = (over: Partial<IssueList> = {}): IssueList => ({
  counts: [
    { state: 'open', issues: 1 },
    { state: 'regressed', issues: 0 },
    { state: 'fix_detected', issues: 0 },
  ],
  limit: 8,
  offset: 0,
  returned_count: 1,
  total_count: 1,
  truncated: false,
  issues: [issue()],
  impostor_refusals: [],
  ...over,
})

export const shownIssue = (over: object = {}) => ({
  issue: issue(),
  ended_at: null,
  previous_id: null,
  paths: ['/pricing'],
  path_count: 1,
  changes: [{ at: '2026-11-20T02:11:00.000Z', change: 'opened', inspection_id: null }],
  inspections: [],
  ...over,
})

export const breakdown = (over: Partial<DailyBreakdown> = {}): DailyBreakdown => ({
  meta: meta(),
  crawler_id: null,
  observed_request_count: 12,
  sources: [],
  daily_identities: [{ date: '2026-11-19', identity: 'ua_identified', observed_request_count: 7 }],
  daily_outcomes: [{ date: '2026-11-19', outcome: '2xx', observed_request_count: 7 }],
  crawler_outcomes: [{ crawler_id: 'gptbot', outcome: '4xx', observed_request_count: 3 }],
  ...over,
})

/** What every page of the site reads. */
export const basics = (role?: 'owner' | 'editor' | 'viewer') => ({
  getSession: session(role),
  getCoverage: coverage(),
  getPerformance: performance(),
  getCrawlers: crawlers(),
  getTopPages: topPages(),
  listIssues: issueList(),
  getPage: page(),
  'issue.show': shownIssue(),
  'issue.intended_list': { marks: [] },
  'inspection.list': { inspections: [] },
  getDailyBreakdown: breakdown(),
})
