import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { history } from '#demo/history.ts'
import { count, rows } from '#evidence/sql.ts'
import { addReceipts, type ImportReceipt } from '#intake/import/receipt.ts'
import { disconnectSource, reconnectSource } from '#sources/disconnect-source.ts'
import { listSources } from '#sources/sources.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

const Count = Type.Object({ n: count() })
const stagedRows = rows(Count)`SELECT count() AS n FROM spoor.import_rows`

function classSum(receipt: ImportReceipt): number {
  const ignored = Object.values(receipt.ignored).reduce((sum, n) => sum + n, 0)
  return receipt.malformed + receipt.other_site + receipt.human + receipt.duplicates + ignored + receipt.stored
}

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0'
const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'

/** A line of each class, made different by its number. */
const LINES = {
  human: (n: number) => `203.0.113.7 - - [07/Mar/2026:10:00:00 +0000] "GET /${n} HTTP/1.1" 200 5 "-" "${PERSON}"`,
  crawler: (n: number) => `203.0.113.7 - - [07/Mar/2026:11:00:00 +0000] "GET /${n} HTTP/1.1" 200 5 "-" "${GPTBOT}"`,
  unlabelled: (n: number) =>
    `203.0.113.7 - - [08/Mar/2026:11:00:00 +0000] "GET /${n} HTTP/1.1" 404 5 "-" "NobodysBot/1"`,
  hosted: (n: number) =>
    `HOST:443 203.0.113.7 - - [08/Mar/2026:12:00:00 +0000] "GET /${n} HTTP/1.1" 200 5 "-" "${GPTBOT}"`,
  foreign: (n: number) =>
    `shop.example.org:443 203.0.113.7 - - [08/Mar/2026:12:00:00 +0000] "GET /${n} HTTP/1.1" 200 5 "-" "${GPTBOT}"`,
  internal: (_: number) =>
    `::1 - - [08/Mar/2026:12:00:00 +0000] "OPTIONS * HTTP/1.0" 200 - "-" "Apache (internal dummy connection)"`,
  no_agent: (n: number) => `203.0.113.7 - - [08/Mar/2026:12:00:00 +0000] "GET /${n}?a=who@example.com HTTP/1.1" 200 5`,
  ahead: (n: number) =>
    `203.0.113.7 - - [13/Mar/2026:12:00:00 +0000] "GET /${n}?q=hidden HTTP/1.1" 200 5 "-" "${GPTBOT}"`,
  noise: (n: number) => `${n} nothing 203.0.113.7 of 2001:db8::7 any who@example.com kind ?q=hidden`,
  tls: (n: number) => `203.0.113.7 - - [08/Mar/2026:12:00:00 +0000] "\\x16\\x03\\x01${n}" 400 5 "-" "${GPTBOT}"`,
  blank: (_: number) => '',
} as const
type Kind = keyof typeof LINES
const MALFORMED: readonly Kind[] = ['no_agent', 'ahead', 'noise', 'tls']
const STORED: readonly Kind[] = ['crawler', 'unlabelled', 'hosted']

describe('the classes of a receipt (decisions 3.4)', () => {
  test('add up to the lines of any mixed log, each line in its own class, and repeats are duplicates', async () => {
    let round = 0
    const kinds = fc.array(fc.constantFrom(...(Object.keys(LINES) as Kind[])), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(kinds, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (drawn, end, ended) => {
        const site = await service.addSite(`round-${++round}.example.com`)
        // One line of a person, so that there is always something to import.
        const all: Kind[] = [...drawn, 'human']
        const lines = all.map((kind, n) => LINES[kind](n).replace('HOST', `www.${site.root_domain}`))
        const text = lines.join(end) + (ended ? end : '')
        const number = (...of: Kind[]) => all.filter((kind) => of.includes(kind)).length
        const receipt = await service.importText(site, text)
        expect(receipt).toMatchObject({
          files: 1,
          bytes: Buffer.byteLength(text),
          lines: all.length - number('blank'),
          malformed: number(...MALFORMED),
          human: number('human'),
          other_site: number('foreign'),
          stored: number(...STORED),
          automated_unlabelled: number('unlabelled'),
          duplicates: 0,
          ignored: { server_internal: number('internal'), sub_request: 0, own_inspection: 0, expired: 0 },
          by_crawler: number('crawler', 'hosted') === 0 ? {} : { gptbot: number('crawler', 'hosted') },
        })
        expect(classSum(receipt)).toBe(receipt.lines)
        const hosted = number('hosted')
        expect(receipt.hosts).toEqual({
          [site.root_domain]: number('human', 'crawler', 'unlabelled'),
          ...(hosted === 0 ? {} : { [`www.${site.root_domain}`]: hosted }),
        })
        expect(receipt.other_hosts).toEqual(number('foreign') === 0 ? {} : { 'shop.example.org': number('foreign') })
        expect(receipt.malformed_samples.map((sample) => sample.line_number)).toEqual(
          all.flatMap((kind, at) => (MALFORMED.includes(kind) ? [at + 1] : [])).slice(0, 5),
        )
        for (const { excerpt } of receipt.malformed_samples) {
          expect(excerpt).not.toMatch(/203\.0|2001:db8|who|hidden/)
          expect(excerpt).not.toBe('')
        }
        const again = await service.importText(site, text)
        expect(again).toMatchObject({ lines: receipt.lines, stored: 0, duplicates: receipt.stored, by_crawler: {} })
        expect(classSum(again)).toBe(again.lines)
      }),
      { numRuns: 15 },
    )
    expect(await service.crawlers.evidence.all(stagedRows)).toEqual([{ n: 0 }])
  })

  test('from and to are the first and last instant of the readable lines, whatever their order', async () => {
    const site = await service.addSite('order.example.com')
    const text = [
      LINES.unlabelled(1),
      LINES.ahead(2),
      LINES.human(3),
      LINES.hosted(4).replace('HOST', 'order.example.com'),
    ]
    expect(await service.importText(site, text.join('\n'))).toMatchObject({
      from: '2026-03-07T10:00:00.000Z',
      to: '2026-03-08T12:00:00.000Z',
      malformed_samples: [{ line_number: 2, reason: 'time_ahead' }],
    })
  })

  test('a log with over 1 % unreadable lines has a warning with the reason', async () => {
    const site = await service.addSite('unreadable.example.com')
    const text = [...Array.from({ length: 150 }, (_, n) => LINES.human(n)), LINES.noise(1), LINES.noise(2)].join('\n')
    const { warnings } = await service.importText(site, `${text}\n`)
    expect(warnings).toEqual([
      { code: 'unreadable_lines', message: expect.stringMatching(/more than 1 %.*2 lines have no known/) },
    ])
  })

  test('the hosts outside the site are named, the most frequent first', async () => {
    const site = await service.addSite('named.example.com')
    const foreign = (host: string, times: number) =>
      Array.from({ length: times }, (_, n) => LINES.hosted(n).replace('HOST', host))
    const rare = Array.from({ length: 30 }, (_, n) => foreign(`h${n}.example.net`, 1)).flat()
    const text = [...rare, ...foreign('example.org', 2), ...foreign('www.example.org', 3), LINES.human(1)].join('\n')
    const receipt = await service.importText(site, text)
    expect(receipt.other_site).toBe(35)
    expect(Object.keys(receipt.other_hosts)).toHaveLength(20)
    expect(Object.entries(receipt.other_hosts).slice(0, 3)).toEqual([
      ['www.example.org', 3],
      ['example.org', 2],
      ['h0.example.net', 1],
    ])
    const two = addReceipts([receipt, { ...receipt, other_hosts: { 'example.org': 5 } }])
    expect(Object.entries(two.other_hosts)[0]).toEqual(['example.org', 7])
  })

  test('several files make one receipt: sums, the first five samples, the outer instants', async () => {
    const site = await service.addSite('several.example.com')
    const first = await service.importText(
      site,
      [LINES.human(1), LINES.crawler(1), ...[1, 2, 3].map(LINES.noise)].join('\n'),
    )
    const second = await service.importText(site, [LINES.unlabelled(1), ...[1, 2, 3].map(LINES.noise)].join('\n'))
    const sum = addReceipts([first, second])
    expect(sum).toMatchObject({
      files: 2,
      lines: 9,
      malformed: 6,
      stored: 2,
      human: 1,
      by_crawler: { gptbot: 1 },
      hosts: { 'several.example.com': 3 },
      from: first.from,
      to: second.to,
    })
    expect(sum.malformed_samples).toHaveLength(5)
    expect(classSum(sum)).toBe(sum.lines)
  })

  test('of several logs that no window reaches, the receipt names one clock, with which all can be read', async () => {
    const site = await service.addSite('old-logs.example.com')
    const ofYear = (year: number) =>
      [LINES.human(year), LINES.crawler(year)].join('\n').replaceAll('2026', String(year))
    const [older, newer] = [await service.importText(site, ofYear(2019)), await service.importText(site, ofYear(2020))]
    const recent = await service.importText(site, LINES.crawler(1))
    expect([older, newer].map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
      ['out_of_reach'],
      ['out_of_reach'],
    ])
    expect(addReceipts([newer, older, recent]).warnings).toEqual([...newer.warnings, ...recent.warnings])
  })
})

describe('limits, so that invented names cannot fill the store (rules 3, 4)', () => {
  test('a site distinguishes 1,000 hosts; all others are :other', async () => {
    const site = await service.addSite('hosts.example.com')
    const text = Array.from({ length: 1_005 }, (_, n) => LINES.hosted(n).replace('HOST', `h${n}.${site.root_domain}`))
    const receipt = await service.importText(site, [LINES.human(1), ...text].join('\n'))
    expect(receipt).toMatchObject({ stored: 1_005, warnings: [{ code: 'many_hosts' }] })
    expect(Object.keys(receipt.hosts)).toHaveLength(1_001)
    expect(Object.values(receipt.hosts).reduce((sum, n) => sum + n, 0)).toBe(1_006)
    const hosts = rows(Type.Object({ hosts: count(), other: count() }))`
      SELECT uniqExact(host) AS hosts, countIf(host = ':other') AS other FROM spoor.requests FINAL
      WHERE endsWith(host, '.hosts.example.com') OR host = ':other'`
    expect(await service.crawlers.evidence.all(hosts)).toEqual([{ hosts: 1_001, other: 5 }])
    // A later file does not get another thousand, and an old host keeps its name.
    const later = ['late', 'h3'].map((name) => LINES.hosted(7).replace('HOST', `${name}.${site.root_domain}`))
    await service.importText(site, [LINES.human(1), ...later].join('\n'))
    expect(await service.crawlers.evidence.all(hosts)).toEqual([{ hosts: 1_001, other: 6 }])
  })

  test('1,000 hosts outside the site are counted by name; lines of further ones are still counted', async () => {
    const site = await service.addSite('outside.example.com')
    const text = Array.from({ length: 1_005 }, (_, n) => LINES.hosted(n).replace('HOST', `h${n}.example.net`))
    const late = Array.from({ length: 9 }, (_, n) => LINES.hosted(n).replace('HOST', 'late.example.net'))
    const known = LINES.hosted(1).replace('HOST', 'h7.example.net')
    const receipt = await service.importText(site, [LINES.human(1), ...text, ...late, known].join('\n'))
    expect(receipt.other_site).toBe(1_015)
    expect(Object.entries(receipt.other_hosts)[0]).toEqual(['h7.example.net', 2])
    expect(receipt.other_hosts).not.toHaveProperty(['late.example.net'])
  })

  test('agents past 10,000 a day share one, still labelled as the crawler that they name', async () => {
    const site = await service.addSite('agents.example.com')
    const agent = (name: string, at: string) =>
      `203.0.113.7 - - [${at}:11:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "${name}"`
    const text = [
      LINES.human(1),
      ...Array.from({ length: 10_000 }, (_, n) => agent(`MadeUpBot/${n}`, '07/Mar/2026')),
      ...Array.from({ length: 4 }, (_, n) => agent(`Mozilla/5.0 (compatible; GPTBot/9.${n})`, '07/Mar/2026')),
      ...Array.from({ length: 3 }, (_, n) => agent(`OneMoreBot/${n}`, '07/Mar/2026')),
      agent('MadeUpBot/1', '07/Mar/2026'),
      agent('Mozilla/5.0 (compatible; GPTBot/9.9)', '08/Mar/2026'),
    ].join('\n')
    const receipt = await service.importText(site, text)
    expect(receipt).toMatchObject({
      stored: 10_009,
      automated_unlabelled: 10_004,
      by_crawler: { gptbot: 5 },
      warnings: [{ code: 'many_agents', message: expect.stringMatching(/over 10,000 agents came on a day/) }],
    })
    const Shared = Type.Object({ user_agent: Type.String(), n: count() })
    const shared = rows(Shared)`
      SELECT toString(user_agent) AS user_agent, count() AS n FROM spoor.requests FINAL
      WHERE startsWith(user_agent, ':other') OR user_agent LIKE '%GPTBot/9%' GROUP BY user_agent ORDER BY user_agent`
    expect(await service.crawlers.evidence.all(shared)).toEqual([
      { user_agent: ':other', n: 3 },
      { user_agent: ':other GPTBot', n: 4 },
      { user_agent: 'Mozilla/5.0 (compatible; GPTBot/9.9)', n: 1 },
    ])
    const key = await service.createKey([site])
    const { json } = await service.ask(`/v1/sites/${site.id}/crawlers?window=7d&purpose=training`, { key: key.secret })
    expect(json).toMatchObject({ crawlers: [{ crawler_id: 'gptbot', observed_request_count: 5 }] })
    expect(await service.importText(site, text)).toMatchObject({ stored: 0, duplicates: 10_009 })
  })

  test('the shared name of every crawler of the registry is labelled as that crawler', async () => {
    const registry = await service.crawlers.registries.current()
    for (const { crawler_id, user_agent_tokens } of builtInDocument.entries) {
      const [token] = user_agent_tokens
      if (token === undefined) continue
      expect(registry.classify(`:other ${token}`)?.crawler_id, token).toBe(crawler_id)
    }
  })
})

test('an import of people alone is coverage without a request', async () => {
  const site = await service.addSite('people.example.com')
  expect(await service.importText(site, history().on('2026-03-07').humans())).toMatchObject({ stored: 0, human: 145 })
})

test('a source that its owner disconnected accepts no upload until the owner reconnects it', async () => {
  const site = await service.addSite('disconnected.example.com')
  const operator = service.installation.operator
  await service.importText(site, LINES.crawler(1))
  const source = async () => (await listSources(operator, site.id))[0]
  const id = (await source())?.id as string
  await disconnectSource(operator, id)
  await expect(service.importText(site, LINES.crawler(2))).rejects.toMatchObject({ kind: 'conflict' })
  expect(await source()).toMatchObject({ connection_status: 'disconnected' })
  await reconnectSource(operator, id)
  expect(await service.importText(site, LINES.crawler(2))).toMatchObject({ stored: 1 })
})
