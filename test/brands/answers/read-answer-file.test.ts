import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AnswerRecord } from '#brands/answers/answer-record.ts'
import {
  type AnswerFileInput,
  MAX_ANSWER_FILE_BYTES,
  type ReadRecord,
  readAnswerFile,
} from '#brands/answers/read-answer-file.ts'
import type { AnswerExporter } from '#contract/vocabulary.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const sample = (name: string) => readFileSync(new URL(name, import.meta.url))
const json: { answers: Record<string, unknown>[] } = JSON.parse(sample('answers.json').toString())

const read = (content: unknown, more: Partial<AnswerFileInput> = {}): ReadRecord[] => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const input = { format: 'json', exporter: null, brand_name: 'Brotwerk', now: NOW } as const
  return [...readAnswerFile({ ...input, bytes: Buffer.from(text), ...more })]
}
const records = (found: readonly ReadRecord[]): AnswerRecord[] =>
  found.map((each) => {
    if ('record' in each) return each.record
    throw each.fault
  })
const file = (...answers: unknown[]) => ({ format: 'spoor.answers/1', source: { tool: 'example-exporter' }, answers })

const COMPLETE = {
  question: 'Which bakery?',
  engine: 'chatgpt',
  asked_at: '2026-11-20T05:12:44Z',
  state: 'answered',
  text: 'Brotwerk.',
}
/** What becomes of one record, alone in a file. */
const one = (changes: Record<string, unknown>): AnswerRecord =>
  records(read(file({ ...COMPLETE, ...changes })))[0] as AnswerRecord
const faultOf = (changes: Record<string, unknown>): string => {
  const [found] = read(file({ ...COMPLETE, ...changes }))
  return found !== undefined && 'fault' in found ? found.fault.code : 'none'
}

describe('files of answers (account API 3)', () => {
  test('JSON, NDJSON and CSV of the same answers are read as the same records', () => {
    const from_json = records(read(json))
    const lines = json.answers.map((answer) => JSON.stringify({ ...answer, source_tool: 'example-exporter' }))
    expect(records(read(lines.join('\n'), { format: 'ndjson' }))).toEqual(from_json)
    expect(records(read(sample('answers.csv').toString(), { format: 'csv' }))).toEqual(from_json)
    expect(from_json).toHaveLength(5)
  })

  test('every field is kept, and URLs are cleaned', () => {
    const [first, second, third, fourth, fifth] = records(read(json))
    expect(first).toMatchObject({
      source_tool: 'example-exporter',
      external_id: 'run-0001',
      engine: 'chatgpt',
      surface: 'consumer_ui',
      run: 1,
      asked_at: Date.parse('2026-11-20T05:12:44Z'),
      web_search: 'used',
      tags: ['bread'],
      country: 'CH',
      citations: [
        { position: 1, url: 'https://www.example.com/gluten-free', span_count: 2, resolved: 'direct' },
        { position: 2, url: 'https://example.org/brot', span_count: 1 },
      ],
      sources: [{ url: 'https://example.net/guide', domain: 'example.net', title: 'Bread guide' }],
      reported_mentions: [
        { name: 'Brotwerk', own: true, position: 1, count: 1, sentiment: 'positive' },
        { name: 'Kornhaus', own: false, position: 2, count: null, sentiment: 'unknown' },
      ],
    })
    expect(second).toMatchObject({ state: 'refused', failure: { code: 'not_offered' }, citations: [], text: null })
    expect(second).toMatchObject({ asked_at: Date.parse('2026-11-20'), asked_at_precision: 'day' })
    expect(third?.citations).toMatchObject([{ url: 'https://example.org/brot', resolved: 'redirect_followed' }])
    expect(third).toMatchObject({ cost: { amount_micros: 14_900, currency: 'USD' }, usage: { searches: 1 } })
    // A missing list is not an empty one.
    expect(fourth).toMatchObject({ citations: null, search_queries: null, text_truncated: true })
    expect(fifth).toMatchObject({ state: 'failed', failure: { code: 'overloaded', message: 'Overloaded' } })
  })

  test.each([
    ['missing', { question: null }],
    ['missing', { question: '\u200b\u2060' }],
    ['missing', { state: undefined }],
    ['missing', { asked_at: '' }],
    ['missing', { text: ' ' }],
    ['missing', { text: '\u200b\n' }],
    ['invalid', { text: '<!DOCTYPE html><html>' }],
    ['invalid', { state: 'done' }],
    ['invalid', { question: 'a\nb' }],
    ['invalid', { country: 'Switzerland' }],
    ['invalid', { run: 0 }],
    ['invalid', { run: 5_000_000_000 }],
    ['invalid', { citations: [{ url: 'https://example.com', count: 5_000_000_000 }] }],
    ['invalid', { tags: ['x'.repeat(65)] }],
    ['invalid', { tags: ['bread', 'a\u202eb'] }],
    ['invalid', { tags: ['\u0000'] }],
    ['invalid', { tags: ['\ud800'] }],
    ['invalid', { tags: ['\u200b'] }],
    ['missing', { tags: ['bread', ''] }],
    ['invalid', { citations: 'https://example.com' }],
    ['invalid', { cost: { amount_micros: 5, currency: 'dollars' } }],
    ['invalid', { text_truncated: 'yes' }],
    ['too_long', { question: 'x'.repeat(301) }],
    ['unknown_engine', { engine: 'deepseek' }],
    ['invalid_date', { asked_at: '20 November' }],
    ['invalid_date', { asked_at: '2026-11-20T05:12:44' }],
    ['invalid_date', { asked_at: '2026-02-30' }],
    ['invalid_date', { asked_at: '1970-01-01' }],
    ['invalid_date', { asked_at: '1999-12-31T23:59:59.999Z' }],
    ['none', { asked_at: '2000-01-01' }],
    ['future_date', { asked_at: '2027-01-01' }],
  ])('a record is refused as %s: %j', (code, changes) => {
    expect(faultOf(changes)).toBe(code)
  })

  test('tags are kept as those of questions are, and the reason names one that is not a tag', () => {
    expect(one({ tags: [' bread ', 'Cafe\u0301', 'x'.repeat(64)] }).tags).toEqual(['bread', 'Café', 'x'.repeat(64)])
    const [found] = read(file({ ...COMPLETE, tags: ['bread'.repeat(13)] }))
    expect(found).toMatchObject({
      fault: {
        message:
          '"breadbreadbreadbreadbreadbreadbreadbreadbreadbreadbreadbreadbread" is not a tag: give 1 to 64 visible characters.',
      },
    })
  })

  test('a refused record leaves the others alone, and is named by its place', () => {
    const found = read(file(COMPLETE, { ...COMPLETE, engine: 'meta', external_id: 'x' }, 'text', COMPLETE))
    expect(found.map((each) => ('fault' in each ? each.fault.code : 'record'))).toEqual([
      ...['record', 'unknown_engine', 'unreadable', 'record'],
    ])
    expect(found[1]).toMatchObject({ place: 2, external_id: 'x' })
  })

  test('citations that are not web pages are left out, and one page is counted once', () => {
    const { citations } = one({
      citations: [
        { url: 'javascript:alert(1)' },
        { url: 'https://example.com/a?utm_source=openai' },
        { url: 'https://example.com/a', count: 2 },
      ],
    })
    expect(citations).toMatchObject([{ position: 1, url: 'https://example.com/a', span_count: 3 }])
  })

  test.each([
    ['openai', 'chatgpt'],
    ['claude-sonnet-5-5', 'claude'],
    ['Google_AI_Overviews', 'google_ai_overview'],
    ['microsoft-copilot-scraper', 'copilot'],
    ['sonar', 'perplexity'],
  ])('%s is %s', (name, engine) => {
    expect(one({ engine: name }).engine).toBe(engine)
  })

  test.each(['2026-11-20T23:30:00+02:00', '2026-11-20T00:00:00+01:00', '2026-11-20T20:00:00-08:00', '2026-11-20'])(
    'the day of %s is the one that is written',
    (asked_at) => {
      const day = { asked_at: Date.parse('2026-11-20'), asked_at_precision: 'day' }
      expect(one({ asked_at, asked_at_precision: 'day' })).toMatchObject(day)
    },
  )
})

describe('CSV', () => {
  const csv = (text: string) => read(text, { format: 'csv' })
  const HEADER = 'question,engine,asked_at,state,text'

  test('quotes, line ends and guards are read', () => {
    const [record] = records(csv(`\ufeff${HEADER}\r\nWhich?,chatgpt,2026-11-20,answered,"a ""b"",\nc"\r\n`))
    expect(record?.text).toBe('a "b",\nc')
    expect(records(csv(`${HEADER}\nWhich?,chatgpt,2026-11-20,answered,'=1+1`))[0]?.text).toBe('=1+1')
  })

  test.each(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])('text_truncated may be written %s', (cell) => {
    const [record] = records(csv(`${HEADER},text_truncated\nWhich?,chatgpt,2026-11-20,answered,x,${cell}\n`))
    expect(record?.text_truncated).toBe(cell.toLowerCase() === 'true')
  })

  test('semicolons separate fields where the header has no comma', () => {
    const found = records(
      csv('\ufeffquestion;engine;asked_at;state;text\r\nWhich?;chatgpt;2026-11-20;answered;a, b\r\n'),
    )
    expect(found).toMatchObject([{ question: 'Which?', text: 'a, b' }])
  })

  test('text_truncated that is neither true nor false refuses its record', () => {
    const found = csv(`${HEADER},text_truncated\nWhich?,chatgpt,2026-11-20,answered,x,yes\n`)
    expect(found).toMatchObject([{ fault: { code: 'invalid', message: expect.stringContaining('true or false') } }])
  })

  test('a row of another length is refused by its line', () => {
    const found = csv(`${HEADER}\n"Which\nbakery?",chatgpt\nWhich?,chatgpt,2026-11-20,answered,x\n`)
    expect(found).toMatchObject([{ place: 2, fault: { code: 'unreadable' } }, { place: 4 }])
  })

  test('a record whose quotation mark is never closed is refused, and does not swallow other rows', () => {
    const rows = [
      'Which?,chatgpt,2026-11-20,answered,x',
      'Who?,chatgpt,2026-11-20,answered,"y',
      'Why?,grok,2026-11-20,answered,z',
    ]
    const found = csv(`${HEADER}\n${rows.join('\n')}\n`)
    expect(found).toMatchObject([
      { place: 2, record: { text: 'x' } },
      { place: 3, fault: { code: 'unreadable', message: expect.stringContaining('on line 3 is never closed') } },
    ])
    expect(found).toHaveLength(2)
    expect(() => csv(`question,engine,asked_at,"state\n${rows[0]}`)).toThrow('on line 1 is never closed')
  })

  test('text behind a closing quotation mark refuses its record alone', () => {
    const found = csv(
      `${HEADER}\nWhich?,chatgpt,2026-11-20,answered,"a" b\n"Why?" ,grok,2026-11-20,answered,z\nWho?,grok,2026-11-20,answered,y\n`,
    )
    expect(found.map((each) => ('fault' in each ? each.fault.message : each.record.text))).toEqual([
      ...['Text follows a closing quotation mark on line 2.', 'Text follows a closing quotation mark on line 3.', 'y'],
    ])
  })

  test.each([
    ['question,engine,asked_at,state,txt', 'unknown columns: "txt"'],
    ['question,engine,asked_at', 'lacks columns: state'],
    ['question,engine,asked_at,state,state', 'column twice'],
    ['', 'empty'],
  ])('the header %j is refused', (header, reason) => {
    expect(() => csv(header)).toThrow(reason)
  })

  test('a cell of the wrong type for its column is refused', () => {
    const [found] = csv(`${HEADER},run,tags_json\nWhich?,chatgpt,2026-11-20,answered,x,one,[]`)
    expect(found).toMatchObject({ fault: { code: 'invalid' } })
  })
})

describe('files that cannot be read', () => {
  test.each([
    ['{"format": "spoor.answers/1", "answers": [', 'not JSON'],
    ['{"answers": []}', 'It has no format; only "spoor.answers/1" is read'],
    ['[]', 'It has no format'],
    ['{"format": "spoor.answers/1", "answer": []}', 'Its member "answers" is not a list'],
    ['{"format": "spoor.answers/1", "answers": {}}', 'Its member "answers" is not a list'],
  ])('%s', (text, reason) => {
    expect(() => read(text)).toThrow(reason)
  })

  test('bytes that are not UTF-8, and too many of them', () => {
    const bytes = Buffer.from([0x7b, 0xff])
    expect(() => read('', { bytes })).toThrow('not UTF-8')
    expect(() => read('', { bytes: Buffer.alloc(MAX_ANSWER_FILE_BYTES + 1) })).toThrow('at most')
  })

  test('a broken line of NDJSON is refused alone', () => {
    const found = read(`${JSON.stringify(COMPLETE)}\n{"x\n\n${JSON.stringify(COMPLETE)}`, { format: 'ndjson' })
    expect(found.map((each) => [each.place, 'fault' in each])).toEqual([
      [1, false],
      [2, true],
      [4, false],
    ])
  })
})

describe('exports of other tools', () => {
  const imported = (exporter: AnswerExporter, content: unknown) => records(read(content, { exporter }))

  const CANONRY = {
    snapshotId: 's1',
    queryId: 'q1',
    query: 'Which bakery?',
    snapshotCreatedAt: '2026-11-20T05:00:00.000Z',
    provider: 'gemini',
    model: 'gemini-3',
    location: null,
    runStatus: 'completed',
    answerText: 'Brotwerk.',
    captureStatus: 'complete',
    citedUrls: ['https://example.com/a'],
    competitorOverlap: ['kornhaus.example'],
    groundingSources: [{ uri: 'https://example.org/b', title: 'B' }],
    searchQueries: ['bakery'],
  }
  test('Canonry, as JSON and as CSV', () => {
    const project = { country: 'CH' }
    const context = { schemaVersion: 'canonry.results-export/v1', project }
    const failed = {
      ...CANONRY,
      snapshotId: 's2',
      answerText: null,
      runStatus: 'partial',
      captureStatus: null,
      searchQueries: [],
    }
    const [first, second] = imported('canonry', { ...context, records: [CANONRY, failed] })
    expect(first).toMatchObject({
      source_tool: 'canonry',
      external_id: 's1',
      country: 'CH',
      surface: 'api',
      web_search: 'used',
      state: 'answered',
      citations: [{ url: 'https://example.com/a' }],
      sources: [{ url: 'https://example.org/b', title: 'B' }],
      reported_mentions: [{ name: 'kornhaus.example', own: false }],
    })
    expect(second).toMatchObject({
      state: 'failed',
      failure: { code: 'incomplete', message: 'partial' },
      citations: null,
      web_search: 'unknown',
      search_queries: null,
    })
    const csv = [
      'snapshot_id,query,snapshot_created_at,provider,answer_text,capture_status,cited_urls_json,search_queries_json',
      `s1,'=Which bakery?,2026-11-20T05:00:00.000Z,gemini,Brotwerk.,complete,"[""https://example.com/a""]",[]`,
    ].join('\n')
    expect(records(read(csv, { format: 'csv', exporter: 'canonry' }))).toMatchObject([
      { question: '=Which bakery?', external_id: 's1', citations: [{ url: 'https://example.com/a' }] },
    ])
  })

  test('elmo gives the engine, and says neither whether the web was searched nor for what', () => {
    const row = {
      id: 'r1',
      prompt_id: 'p1',
      value: 'Which bakery?',
      created_at: '2026-11-20T05:00:00Z',
      provider: 'openai',
      model: 'chatgpt',
      version: 'gpt-5',
      raw_output: 'Brotwerk.',
      web_search_enabled: true,
      web_queries: ['unavailable'],
      citations: [{ url: 'https://example.com/a', citation_index: 0 }],
      competitors_mentioned: ['Kornhaus'],
    }
    expect(imported('elmo', [row])).toMatchObject([
      { engine: 'chatgpt', model: 'gpt-5', web_search: 'unknown', search_queries: null, citations: [{ position: 1 }] },
    ])
  })

  test('elmo names the engine as the model, and the service that asked it as the provider', () => {
    const row = { id: 'r1', value: 'Which bakery?', created_at: '2026-11-20T05:00:00Z', version: 'v' }
    const asked = (model: string, provider: string | null, raw_output: unknown) =>
      imported('elmo', [{ ...row, model, provider, raw_output }])[0]
    const message = { type: 'message', content: [{ type: 'output_text', text: 'Brotwerk.', annotations: [] }] }
    expect(asked('chatgpt', 'openai-api', { output: [message] })).toMatchObject({
      engine: 'chatgpt',
      surface: 'api',
      model: 'v',
      state: 'answered',
      text: 'Brotwerk.',
    })
    const content = [
      { type: 'text', text: 'I will look that up.' },
      { type: 'server_tool_use', name: 'web_search', input: {} },
      { type: 'text', text: 'Brotwerk.' },
    ]
    expect(asked('claude', 'anthropic-api', { content })).toMatchObject({ engine: 'claude', text: 'Brotwerk.' })
    const choices = [{ message: { content: 'Brotwerk.' } }]
    expect(asked('grok', 'openrouter', { choices })).toMatchObject({
      engine: 'grok',
      surface: 'api',
      text: 'Brotwerk.',
    })
    expect(asked('google-ai-mode', 'olostep', { answer_markdown: 'Brotwerk.' })).toMatchObject({
      engine: 'google_ai_mode',
      surface: 'consumer_ui',
      text: 'Brotwerk.',
    })
    expect(asked('perplexity', 'brightdata', [{ answer_text: 'Brotwerk.' }])).toMatchObject({
      engine: 'perplexity',
      surface: 'consumer_ui',
      text: 'Brotwerk.',
    })
    expect(asked('copilot', 'oxylabs', { results: [{ content: { response_text: 'Brotwerk.' } }] })).toMatchObject({
      engine: 'copilot',
      text: 'Brotwerk.',
    })
    const tasks = [{ result: [{ items: [{ type: 'organic' }, { type: 'ai_overview', markdown: 'Brotwerk.' }] }] }]
    expect(asked('google-ai-overview', 'dataforseo', { tasks })).toMatchObject({
      engine: 'google_ai_overview',
      surface: 'import',
      text: 'Brotwerk.',
    })
    expect(asked('gemini', null, {})).toMatchObject({ engine: 'gemini', state: 'failed', text: null })
  })

  test('an output of elmo in an unknown form is refused, and no failure of the engine', () => {
    const row = { id: 'r1', value: 'Which?', created_at: '2026-11-20T05:00:00Z', model: 'chatgpt', provider: 'new' }
    const [refused] = read(JSON.stringify([{ ...row, raw_output: { said: 'Brotwerk.' } }]), { exporter: 'elmo' })
    expect(refused).toMatchObject({ place: 1, external_id: 'r1', fault: { code: 'invalid' } })
  })

  test('members that cannot become text or a number are unknown, and refuse no file', () => {
    const odd = { toString: 'x', valueOf: 1 }
    expect(imported('canonry', [{ ...CANONRY, answerMentioned: odd }])[0]?.reported_mentions).toMatchObject([
      { own: false },
    ])
    const messages = [
      { role: 'user', content: 'Which bakery?' },
      { role: 'assistant', content: 'Brotwerk.' },
    ]
    const sources = [{ url: 'https://example.com/a', citationCount: odd }]
    const chat = { id: 'c1', model_channel: 'chatgpt', date: '2026-11-20', messages, sources }
    expect(imported('peec', [chat])).toMatchObject([{ citations: [] }])
  })

  test('Profound', () => {
    const answer = {
      run_id: 'r1',
      prompt_id: 'p1',
      prompt: 'Which bakery?',
      response: 'Brotwerk.',
      created_at: '2026-11-20T05:00:00Z',
      model: { name: 'ChatGPT' },
      region: 'Europe',
      search_queries: [],
      citations: ['https://example.com/a'],
      mentions: ['Brotwerk'],
      tags: ['x'],
      persona: 'Buyer',
    }
    expect(imported('profound', { data: [answer] })).toMatchObject([
      {
        engine: 'chatgpt',
        surface: 'consumer_ui',
        country: null,
        web_search: 'unknown',
        persona: 'Buyer',
        citations: [{ url: 'https://example.com/a' }],
        reported_mentions: [{ name: 'Brotwerk', own: null }],
      },
    ])
  })

  test('Peec', () => {
    const chat = {
      id: 'c1',
      prompt: { id: 'p1' },
      model: { id: 'gpt-5' },
      model_channel: { id: 'chatgpt-scraper' },
      date: '2026-11-20',
      messages: [
        { role: 'user', content: 'Which bakery?' },
        { role: 'assistant', content: 'Brotwerk.' },
      ],
      sources: [
        { url: 'https://example.com/a', citationCount: 1 },
        { url: 'https://example.org/b', citationCount: 0 },
      ],
      queries: ['bakery'],
      brands_mentioned: [{ id: 'b1', name: 'Brotwerk', position: 1 }],
    }
    expect(imported('peec', chat)).toMatchObject([
      {
        engine: 'chatgpt',
        surface: 'consumer_ui',
        asked_at_precision: 'day',
        web_search: 'used',
        model: 'gpt-5',
        citations: [{ url: 'https://example.com/a' }],
      },
    ])
  })

  test('what an export lacks is unknown, and not none', () => {
    const canonry = { ...CANONRY, citedUrls: undefined, competitorOverlap: undefined }
    const elmo = { id: 'r1', value: 'Which?', created_at: '2026-11-20T05:00:00Z', raw_output: 'Brotwerk.' }
    const messages = [
      { role: 'user', content: 'Which bakery?' },
      { role: 'assistant', content: 'Brotwerk.' },
    ]
    const peec = { id: 'c1', model: { id: 'gpt-5' }, model_channel: 'chatgpt', date: '2026-11-20', messages }
    const nothing_known = { citations: null, reported_mentions: null }
    expect(imported('canonry', { records: [canonry] })).toMatchObject([nothing_known])
    expect(imported('elmo', [{ ...elmo, provider: 'openai' }])).toMatchObject([
      { ...nothing_known, search_queries: null },
    ])
    expect(imported('peec', peec)).toMatchObject([{ ...nothing_known, sources: null }])
  })

  test('tools that report only whether the brand is named', () => {
    const created_at = '2026-11-20T05:00:00Z'
    const elmo = { id: 'r1', value: 'Which?', created_at, provider: 'openai', raw_output: 'Brotwerk.' }
    const scrunch = { id: 'r1', prompt: 'Which?', created_at, platform: 'perplexity', response_text: 'Brotwerk.' }
    const own = { name: 'Brotwerk', own: true }
    const rival = { name: 'kornhaus.example', own: false }
    expect(imported('canonry', [{ ...CANONRY, answerMentioned: true }])[0]?.reported_mentions).toMatchObject([
      own,
      rival,
    ])
    expect(imported('canonry', [{ ...CANONRY, answerMentioned: false }])[0]?.reported_mentions).toMatchObject([rival])
    expect(imported('elmo', [{ ...elmo, brand_mentioned: true }])[0]?.reported_mentions).toMatchObject([own])
    expect(imported('elmo', [{ ...elmo, brand_mentioned: false }])[0]?.reported_mentions).toEqual([])
    const competitors = [{ name: 'kornhaus.example' }]
    expect(imported('scrunch', [{ ...scrunch, brand_present: true, competitors }])[0]?.reported_mentions).toMatchObject(
      [own, rival],
    )
    const csv = [
      'snapshot_id,query,snapshot_created_at,provider,answer_text,answer_mentioned,competitor_overlap_json',
      `s1,Which bakery?,2026-11-20T05:00:00.000Z,gemini,Brotwerk.,true,"[""kornhaus.example""]"`,
    ].join('\n')
    const [row] = records(read(csv, { format: 'csv', exporter: 'canonry' }))
    expect(row?.reported_mentions).toMatchObject([own, rival])
  })

  test('Otterly', () => {
    const shown = {
      runId: 'r1',
      promptId: 'p1',
      prompt: 'Which bakery?',
      runDate: '2026-11-20T05:00:00Z',
      country: 'uk',
      engine: 'google',
      overviewAvailable: true,
      content: 'Brotwerk.',
      citations: [{ link: 'https://example.com/a', rank: 1 }],
    }
    const hidden = { ...shown, runId: 'r2', overviewAvailable: false, content: null, citations: [] }
    expect(imported('otterly', { items: [shown, hidden] })).toMatchObject([
      { engine: 'google_ai_overview', country: 'GB', state: 'answered', citations: [{ position: 1 }] },
      { state: 'refused', failure: { code: 'not_offered' }, text: null },
    ])
  })

  test('Scrunch', () => {
    const response = {
      id: 'r1',
      prompt_id: 'p1',
      prompt: 'Which bakery?',
      created_at: '2026-11-20T05:00:00Z',
      country: 'CH',
      platform: 'perplexity',
      response_text: 'Brotwerk.',
      brand_position: 'top',
      competitors: [{ name: 'Kornhaus' }],
      citations: [{ url: 'https://example.com/a' }],
      persona_name: 'Buyer',
    }
    const [record] = imported('scrunch', { items: [response] })
    expect(record).toMatchObject({ asked_at: Date.parse('2026-11-20'), asked_at_precision: 'day', persona: 'Buyer' })
    expect(record?.reported_mentions).toMatchObject([{ name: 'Kornhaus', position: null }])
  })
})
