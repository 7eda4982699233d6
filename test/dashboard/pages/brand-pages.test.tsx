import { expect, test } from 'vitest'
import { namesOf, typedNames } from '../../../dashboard/brand/typed-names.ts'
import { AnswerDetail } from '../../../dashboard/pages/answers/answer-drawer.tsx'
import { formatOf } from '../../../dashboard/pages/answers/import-answers.tsx'
import { partsOf } from '../../../dashboard/pages/answers/marked-text.tsx'
import { AnswersPanel } from '../../../dashboard/pages/answers/page.tsx'
import { ClassifyForm, lastWords } from '../../../dashboard/pages/brand-settings/classify-panel.tsx'
import { NamesPanel } from '../../../dashboard/pages/brand-settings/names-panel.tsx'
import { engineRunWords } from '../../../dashboard/pages/brand-settings/scan-row.tsx'
import { scheduleWords } from '../../../dashboard/pages/brand-settings/scans-panel.tsx'
import { connectionWords, SearchDataList } from '../../../dashboard/pages/brand-settings/search-data-panel.tsx'
import { microsOf } from '../../../dashboard/pages/engines/engine-form.tsx'
import { stateOf } from '../../../dashboard/pages/engines/engine-panel.tsx'
import type { EngineState } from '../../../dashboard/pages/engines/page.tsx'
import { FixListBlock } from '../../../dashboard/pages/fixes/page.tsx'
import { lineFaults, questionLines } from '../../../dashboard/pages/questions/add-questions.tsx'
import { AddedLines } from '../../../dashboard/pages/questions/added-lines.tsx'
import { QuestionsPanel } from '../../../dashboard/pages/questions/page.tsx'
import { citedColumns } from '../../../dashboard/pages/urls/cited-columns.tsx'
import { UrlBlocks, UrlsPage } from '../../../dashboard/pages/urls/page.tsx'
import { Refusal } from '../../../dashboard/read/refusal.ts'
import { written } from '../../../dashboard/tables/csv.ts'
import type { AnswerList, FixList, QuestionList, UrlReport } from '../../../src/contract/account-api/index.ts'
import { ratio } from '../brand-answers.ts'
import { BRAND, renderOnBrand, session, textOf } from '../render.tsx'

type Answer = AnswerList['answers'][number]

const answer = (change: Partial<Answer> = {}): Answer => ({
  id: 'a1',
  question: { id: 'q1', text: 'Which monitor has a status page?', country: null },
  engine: 'chatgpt',
  surface: 'api',
  provider: 'openai',
  model: 'm1',
  language: null,
  persona: null,
  run: 1,
  asked_at: '2026-11-21T04:40:00Z',
  asked_at_precision: 'instant',
  country_applied: null,
  state: 'answered',
  failure: null,
  web_search: 'used',
  text: 'Use Example.',
  text_truncated: false,
  mentions: [
    {
      brand_id: BRAND,
      competitor_id: null,
      name: 'Example',
      is_own: true,
      position: 1,
      offset: 4,
      occurrences: 1,
      sentiment: 'unknown',
    },
  ],
  reported_mentions: null,
  citations: [],
  citations_observed: true,
  retrieved: [],
  search_queries: [],
  cost: null,
  source: null,
  ...change,
})

const failed = answer({
  state: 'failed',
  failure: { code: 'bad_key', message: 'Incorrect key' },
  model: null,
  text: null,
  mentions: [],
  citations: null,
  citations_observed: false,
  retrieved: null,
  search_queries: null,
  web_search: 'unknown',
})

const list = (answers: Answer[], next_cursor: string | null = null): AnswerList => ({
  meta: {
    as_of: '2026-11-21T08:14:00Z',
    filters: {
      from: '2026-10-23',
      to: '2026-11-21',
      engines: null,
      country: null,
      question_id: null,
      status: null,
      mentioned: null,
      cited: null,
      branded: null,
    },
    ignored_parameters: [],
  },
  answers,
  limit: 50,
  returned_count: answers.length,
  next_cursor,
})

const panel = async (one: AnswerList) =>
  textOf(
    await renderOnBrand(
      <AnswersPanel
        brand={BRAND}
        lists={[one]}
        has_more={one.next_cursor !== null}
        is_reading={false}
        onMore={() => {}}
      />,
      { at: 'answers' },
    ),
  )

test('failed runs are rows without other facts', async () => {
  const shown = await panel(list([answer(), failed]))
  expect(shown).toContain('Answered 1 of 1 not cited')
  expect(shown).toContain('Failed unknown unknown')
  expect(shown).toContain('Showing all 2')
  expect(await panel(list([answer()], 'next'))).toContain('Showing 1 of unknown Load 50 more')
  expect(await panel(list([]))).toContain('Nothing was asked or imported from 23 Oct – 21 Nov.')
})

test('an answer in full: marked text, and unknown where nothing was observed', async () => {
  const shown = await renderOnBrand(<AnswerDetail answer={answer({ text: 'Use Example.\u202e' })} />, {
    at: 'answers/a1',
  })
  expect(shown).toMatch(/<mark[^>]*>Example</)
  expect(textOf(shown)).toContain('.␣')
  const lost = textOf(await renderOnBrand(<AnswerDetail answer={failed} />, { at: 'answers/a1' }))
  for (const words of [
    'the key was not accepted',
    'Citations were not observed: unknown, not none.',
    'Whether the engine searched the web is unknown.',
    'Cost unknown',
  ]) {
    expect(lost).toContain(words)
  }
})

test('marks are at the offsets, and another spelling is marked to the end of its word', () => {
  const [mention] = answer().mentions
  if (mention === undefined) throw new Error('the answer has a mention')
  expect(partsOf('Use Example.', [mention]).map(({ text }) => text)).toEqual(['Use ', 'Example', '.'])
  expect(partsOf('Use Exmpl, it works', [mention]).map(({ text }) => text)).toEqual(['Use ', 'Exmpl', ', it works'])
  expect(partsOf('Use', [mention]).map(({ text }) => text)).toEqual(['Use'])
})

test('only files of answers are accepted', () => {
  expect(['a.json', 'b.NDJSON', 'c.jsonl', 'd.csv', 'e.xlsx'].map(formatOf)).toEqual([
    'json',
    'ndjson',
    'ndjson',
    'csv',
    null,
  ])
})

const questions = (change: Partial<QuestionList> = {}): QuestionList => ({
  meta: {
    as_of: '2026-11-21T08:14:00Z',
    filters: { kind: null, status: 'active', country: null },
    ignored_parameters: [],
  },
  questions: [
    {
      id: 'q1',
      text: 'Which monitor?',
      country: 'DE',
      tags: ['eu'],
      kind: 'unbranded',
      status: 'active',
      created_at: '2026-10-01T00:00:00Z',
      archived_at: null,
      last_asked: [{ engine: 'grok', asked_at: '2026-11-21T04:40:00Z', state: 'failed' }],
    },
  ],
  limit: 100,
  offset: 0,
  returned_count: 1,
  total_count: 1,
  truncated: false,
  ...change,
})

test('questions with their last answers, and what a viewer may not do', async () => {
  const shown = await renderOnBrand(<QuestionsPanel brand={BRAND} list={questions()} onAdd={() => {}} />, {
    reads: [session({}, 'viewer')],
  })
  expect(textOf(shown)).toContain('Germany')
  expect(textOf(shown)).toContain('Grok 21 Nov failed')
  expect(shown).toContain('title="Editors and owners of the brand’s site can do this."')
  const none = questions({ questions: [], returned_count: 0, total_count: 0 })
  const empty = textOf(await renderOnBrand(<QuestionsPanel brand={BRAND} list={none} onAdd={() => {}} />))
  expect(empty).toContain('No questions have been added yet.')
})

test('a list behind its last row says that no more come, and not that it is empty', async () => {
  const behind = { offset: 100, returned_count: 0, total_count: 100 }
  const none = questions({ questions: [], ...behind })
  const asked = textOf(await renderOnBrand(<QuestionsPanel brand={BRAND} list={none} onAdd={() => {}} />))
  expect(asked).toContain('There are no more questions. Show the first')
  expect(asked).not.toContain('No questions have been added')
  const no_fix = { ...fixes('open', false), offset: 20, returned_count: 0, total_count: 20 }
  const shown = textOf(await renderOnBrand(<FixListBlock brand={BRAND} list={no_fix} status="open" />, { at: 'fixes' }))
  expect(shown).toContain('There are no more fixes. Show the first')
  expect(shown).not.toContain('No fix is open')
  const no_url: UrlReport = { meta: URL_META, dimension: 'url', rows: [], ...LISTED, ...behind }
  const cited = await renderOnBrand(<UrlBlocks report={no_url} />, { at: 'urls?country=DE&offset=100' })
  expect(textOf(cited)).toContain('There are no more rows. Show the first')
  expect(cited).toContain(`href="/brands/${BRAND}/urls?country=DE"`)
})

test('each added line shows its result', async () => {
  const rejected = [
    { index: 1, code: 'limit_reached' as const, message: '100 questions are active.', existing_id: null },
    { index: 2, code: 'invalid' as const, message: 'The brand has this question.', existing_id: 'q9' },
  ]
  const created = questions().questions
  const shown = textOf(
    await renderOnBrand(<AddedLines brand={BRAND} lines={['a', 'b', 'c']} answer={{ created, rejected }} />),
  )
  expect(shown).toContain('1 question added, 2 not added.')
  expect(shown).toContain('Not added: 100 questions are active. Archive one first.')
  expect(shown).toContain('Not added: The brand has this question. Restore it')
  expect(questionLines(' a \n\n b')).toEqual(['a', 'b'])
  const errors = [{ field: 'questions.3.text', detail: 'It is empty.' }]
  const refused = new Refusal({ status: 400, request_id: null, body: { detail: 'x', errors } })
  expect(lineFaults(refused)?.message).toBe('Nothing was added. Line 4: It is empty.')
})

const URL_META: UrlReport['meta'] = {
  as_of: '2026-11-21T08:14:00Z',
  filters: {
    from: '2026-10-23',
    to: '2026-11-21',
    engines: null,
    country: null,
    question_id: null,
    dimension: 'url',
    source: null,
    page: null,
  },
  ignored_parameters: [],
  opaque_citations: 3,
  search_data: null,
  limitations: [],
}
const LISTED = { limit: 50, offset: 0, returned_count: 1, total_count: 1, truncated: false }

test('an own URL shows crawler evidence, and unknown is not zero', async () => {
  const cited: UrlReport = {
    meta: URL_META,
    dimension: 'url',
    rows: [
      {
        url: 'https://example.com/docs',
        source: 'own',
        answers_citing: 54,
        citations: 60,
        question_count: 4,
        citation_rate: ratio(54, 315),
        citation_share: ratio(60, 900),
        engines: ['claude'],
        first_cited_at: '2026-11-02T05:00:00Z',
        last_cited_at: '2026-11-21T05:00:00Z',
        crawler: {
          coverage_state: 'unknown',
          observed_request_count: null,
          last_observed_at: null,
          open_issue_ids: ['i1'],
        },
      },
    ],
    ...LISTED,
  }
  const shown = textOf(await renderOnBrand(<UrlBlocks report={cited} />, { at: 'urls' }))
  expect(shown).toContain('In 315 answers whose citations were observed')
  expect(shown).toContain('3 citations behind redirects have a domain and no URL')
  expect(shown).toContain('2 Nov – 21 Nov unknown')
  expect(shown).toContain('open issue')
  const [head, line] = written([], citedColumns('url', null), cited.rows as never).split('\r\n')
  expect(head).toMatch(/^url,engines,question_count,source,answers_citing,citation_rate,citation_rate_low,/)
  expect(line).toMatch(/^https:\/\/example\.com\/docs,claude,4,own,54,0\.17.*,null$/)
})

test('cited addresses are filtered by a text', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({
    domain: `host${index}.example`,
    source: 'other' as const,
    answers_citing: 12 - index,
    citations: 12 - index,
    question_count: 1,
    citation_rate: ratio(12 - index, 40),
    citation_share: ratio(12 - index, 90),
    engines: ['claude' as const],
    first_cited_at: '2026-11-02T05:00:00Z',
    last_cited_at: '2026-11-21T05:00:00Z',
    crawler: null,
  }))
  const report: UrlReport = {
    meta: URL_META,
    dimension: 'domain',
    rows,
    ...LISTED,
    returned_count: 12,
    total_count: 60,
  }
  const shownAt = async (q: string) =>
    textOf(await renderOnBrand(<UrlBlocks report={report} />, { at: `urls?dimension=domain${q}` }))
  expect(await shownAt('')).toContain('host3.example')
  expect(await shownAt('&q=host11')).toMatch(/host11\.example .*Showing 1 of 60/)
  expect(await shownAt('&q=nowhere')).toContain('No domain among the 12 loaded matches “nowhere”.')
})

test('without search data the state says so, and queries need a page', async () => {
  const search_data = { state: 'none' as const, source: 'google' as const, property: null, search_type: null }
  const none: UrlReport = {
    meta: {
      ...URL_META,
      opaque_citations: null,
      search_data: { ...search_data, grouping: null, day_zone: null, gaps: [], weekly: null },
    },
    dimension: 'page',
    rows: [],
    ...LISTED,
    returned_count: 0,
    total_count: 0,
  }
  const shown = textOf(await renderOnBrand(<UrlBlocks report={none} />, { at: 'urls?dimension=page' }))
  expect(shown).toContain('No search data of Google')
  expect(shown).toContain('is unknown: no search data is stored.')
  expect(textOf(await renderOnBrand(<UrlsPage />, { at: 'urls?dimension=query' }))).toContain(
    'Choose a page to see its queries.',
  )
})

const fixes = (status: 'open' | 'dismissed', found = true): FixList => ({
  meta: { as_of: '2026-11-21T08:14:00Z', filters: { kind: null, status }, ignored_parameters: [] },
  fixes: found
    ? [
        {
          id: 'f1',
          brand_id: BRAND,
          kind: 'content',
          title: 'Answer it',
          description: 'Nobody does.',
          status,
          evidence_refs: [
            { kind: 'answer', id: 'a1' },
            { kind: 'answer', id: 'a2' },
          ],
          fix_prompt: 'Write the page.',
          version: 2,
          replaces: null,
          created_at: '2026-11-01T00:00:00Z',
          updated_at: '2026-11-01T00:00:00Z',
          accepted_at: null,
          completed_at: null,
          dismissed_at: null,
          dismissed_reason: null,
          verification: {
            state: 'not_comparable',
            checked_at: null,
            reason: 'model_changed',
            before: ratio(2, 10),
            after: null,
          },
        },
      ]
    : [],
  ...LISTED,
  total_count: found ? 1 : 0,
})

test('a fix shows its evidence, its prompt and what may be done next', async () => {
  const page = async (status: 'open' | 'dismissed', found = true) =>
    textOf(
      await renderOnBrand(<FixListBlock brand={BRAND} list={fixes(status, found)} status={status} />, { at: 'fixes' }),
    )
  const open = await page('open')
  expect(open).toContain('Evidence Answer 1 Answer 2')
  expect(open).toContain('Copy Write the page.')
  expect(open).toContain('Not comparable : model changed. Before 20.0 % (18.0–22.0), 2 of 10')
  expect(open).toContain('Accept Dismiss Delete')
  expect(await page('dismissed')).toContain('Reopen Delete')
  expect(await page('open', false)).toContain('No fix is open.')
  expect(await page('dismissed', false)).toContain('No fix is dismissed.')
})

test('scans and schedules in words', () => {
  const none = { waiting: 0, asking: 0, answered: 0, refused: 0, failed: 0, not_run: 0 }
  expect(
    engineRunWords({ engine: 'grok', ...none, failed: 1, not_run: 4, codes: [{ code: 'bad_key', runs: 5 }] }),
  ).toBe('1 failed, 4 not asked: the key was not accepted (5 runs)')
  expect(engineRunWords({ engine: 'grok', ...none, codes: [] })).toBe('nothing to ask')
  const schedule = { hour: 5, runs: 2, is_paused: false, next_at: '2026-11-22T05:20:00Z' }
  expect(scheduleWords(schedule)).toContain(
    '2 times a day, at about 05:00 UTC. The next one starts at about 22 Nov 05:20',
  )
  expect(scheduleWords({ ...schedule, is_paused: true })).toContain('Paused')
  expect(scheduleWords({ ...schedule, hour: null, next_at: null })).toBe('No daily scan is set.')
})

test('search data: nothing stored is unknown, and a failing connection says why', async () => {
  const empty = <SearchDataList brand={BRAND} data={{ connections: [], stored: [] }} forbidden={undefined} />
  expect(textOf(await renderOnBrand(empty))).toContain('how own pages do in search is unknown')
  const connection = {
    id: 'c',
    source: 'google' as const,
    property: 'sc-domain:example.com',
    state: 'error' as const,
    created_at: '2026-11-01T00:00:00Z',
    last_poll_at: null,
    error_code: 'no_access',
    read_from: null,
  }
  expect(connectionWords(connection)).toBe('The last read failed: no access.')
})

test('amounts of money, and whether an engine is asked', () => {
  expect(['12.50', '0', '1,5', '-1', ''].map(microsOf)).toEqual([12_500_000, 0, null, null, null])
  expect(['1000000', '1000000.01'].map(microsOf)).toEqual([1_000_000_000_000, null])
  const asked = { obstacle: null, fault: null, month: { has_room: true } } as EngineState
  expect(stateOf(asked).word).toBe('Asked')
  expect(stateOf({ ...asked, month: { ...asked.month, has_room: false } }).word).toBe('Monthly budget used up')
  expect(stateOf({ ...asked, fault: 'bad_key' }).word).toBe('Failing')
  expect(stateOf({ ...asked, obstacle: 'terms' }).word).toBe('Terms not accepted')
})

test('a classification shows its price before it can be agreed to, and how the last one ended', async () => {
  const plan = {
    engine: 'claude' as const,
    answers: 412,
    left_out: 3,
    estimate_micros: 350_000,
    at_most_micros: 700_000,
    last: null,
  }
  const open = textOf(await renderOnBrand(<ClassifyForm brand={BRAND} plan={plan} />))
  expect(open).toContain('412 answers with unclassified mentions. 3 answers may not be sent')
  expect(open).toContain('about $0.35, and at most $0.70. Classify them')
  const unchosen = textOf(await renderOnBrand(<ClassifyForm brand={BRAND} plan={{ ...plan, engine: null }} />))
  expect(unchosen).toContain('No engine is chosen')
  expect(unchosen).not.toContain('Classify them')
  const last = {
    id: 'c',
    engine: 'claude' as const,
    state: 'ended' as const,
    code: 'price_reached' as const,
    answers: 412,
    asked: 400,
    classified: 390,
    at_most_micros: 700_000,
    spent_micros: 699_000,
    started_at: '2026-11-20T08:00:00Z',
    ended_at: '2026-11-20T09:00:00Z',
  }
  expect(lastWords(last)).toContain(
    'The last round sent 400 of 412 answers and classified 390, for $0.70. It stopped at',
  )
  const running = { ...plan, last: { ...last, state: 'running' as const, code: null, ended_at: null } }
  expect(textOf(await renderOnBrand(<ClassifyForm brand={BRAND} plan={running} />))).toContain('Stop classifying')
})

test('names in the settings: aliases are in the fields of their rules', async () => {
  const brand = {
    id: BRAND,
    name: 'Example',
    aliases: ['Ex', 'EXM', 'Apex'],
    domains: ['example.com'],
    site_id: null,
    competitors: [],
    created_at: '2026-11-01T00:00:00Z',
  }
  const alias_rules = [
    { alias: 'EXM', is_exact: true, company: null },
    { alias: 'Apex', is_exact: false, company: ['Munich', 'Bavaria'] },
  ]
  const page = await renderOnBrand(<NamesPanel brand={brand} rules={{ id: BRAND, alias_rules, competitors: [] }} />)
  const typed = [...page.matchAll(/<textarea[^>]*>([^<]*)<\/textarea>/g)].map(([, text]) => text)
  expect(typed).toEqual(['Ex', 'example.com', 'EXM', 'Apex = Munich, Bavaria'])
  const given = namesOf(typedNames(brand, alias_rules))
  expect(given.aliases).toEqual([
    'Ex',
    { alias: 'EXM', is_exact: true },
    { alias: 'Apex', company: ['Munich', 'Bavaria'] },
  ])
})
