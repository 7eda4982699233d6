/** A file read by blocks, here or in other threads, must give what the reader of text alone gives, to the byte. */
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rangesOf } from '#crawlers/identity/address-ranges.ts'
import { listCode } from '#crawlers/identity/proof-facts.ts'
import { proveBy } from '#crawlers/identity/prove-request.ts'
import { builtInDocument, readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import type { NativeRows } from '#evidence/rows/native-rows.ts'
import { HostNames } from '#intake/facts/host-limit.ts'
import { type BlockThread, openBlockThread } from '#intake/import/block-thread.ts'
import { FileAgents } from '#intake/import/file-agents.ts'
import { FileCounts } from '#intake/import/file-counts.ts'
import { readFile, type Threading } from '#intake/import/read-file.ts'
import { sortCounts } from '#intake/import/receipt.ts'
import { Stage } from '#intake/import/stage-rows.ts'
import type { FileReading } from '#intake/import/take-line.ts'
import { LineWalk } from '#intake/import/walk-lines.ts'
import { readLines } from '#intake/log/lines.ts'
import { chunked } from '../log/read-lines.ts'
import { type NativeRow, readNative } from './read-native.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const HUMAN = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
const BOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const APPLEBOT = 'Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)'
const plain = (n: number, agent: string, rest = '') =>
  `192.0.2.${n % 200} - - [0${1 + (n % 9)}/Mar/2026:10:${10 + (n % 50)}:30 +0100] "GET /a${n} HTTP/1.1" ${200 + (n % 5)} 5 "-" "${agent}"${rest}`

/** Lines of every kind that an import distinguishes, and those that change how later lines are read. */
const KINDS: Record<string, (n: number) => string> = {
  human: (n) => plain(n, `${HUMAN}${n % 7}`),
  another_human: (n) => plain(n, HUMAN),
  human_with_tail: (n) => plain(n, HUMAN, ' "203.0.113.9" 0.003'),
  silent_human: (n) => plain(n, '-').replace('- - [', '- me ['),
  of_a_host: (n) => `www${n % 40}.example.com:443 ${plain(n, HUMAN)}`,
  of_another_site: (n) => `shop${n}.example.org ${plain(n, HUMAN)}`,
  bot: (n) => plain(n, BOT),
  bot_again: (n) => plain(n % 3, BOT),
  bot_with_tail: (n) => plain(n, BOT, ` 0.00${n % 10} "x"`),
  bot_by_token: (n) => plain(n, 'ClaudeBot'),
  bot_and_field: (n) => plain(n, 'curl/8.5.0', n % 2 === 0 ? ' "203.0.113.9"' : ' "Some Reader/1.0"'),
  bot_of_list: (n) => plain(n, BOT).replace(/^\S+/, '8.8.8.8'),
  bot_behind_proxy: (n) =>
    plain(n, BOT).replace(/^\S+/, ['104.16.0.9', '10.1.2.3', '192.0.2.0', '203.0.113.77'][n % 4] as string),
  bot_of_ipv6: (n) => plain(n, BOT).replace(/^\S+/, `2001:db8::${n % 5}`),
  bot_by_name: (n) => plain(n, BOT).replace(/^\S+/, `crawl-${n % 3}.ex\xe4mple`),
  bot_asks_names: (n) =>
    plain(n, APPLEBOT)
      .replace(/0\d\/Mar\/2026:\d\d/, '10/Mar/2026:11')
      .replace(/^\S+/, `9.9.9.${1 + (n % 3)}`),
  bot_once: (n) => plain(n, `${BOT}/${n}`),
  bot_long: (n) => plain(n, `${BOT} ${'x'.repeat(1_000 + (n % 40))}`),
  bot_not_text: (n) => plain(n, `${BOT} caf\xe9 caf\xc3\xa9`),
  secret_path: (n) => plain(n, BOT).replace(`/a${n}`, `/u/jane.doe@example.com/${'4f'.repeat(20)}?token=${n}`),
  odd_path: (n) =>
    plain(n, BOT).replace(
      `/a${n}`,
      ['//x', '/b\xfccher', '/%7eme/%C3%A9', '/a b', '/\t', '/"', `/${'y'.repeat(1_100)}`][n % 7] as string,
    ),
  absolute: (n) => plain(n, BOT).replace(`/a${n}`, `https://shop.example.com/a${n}`),
  no_request: (n) =>
    plain(n, BOT).replace(`GET /a${n} HTTP/1.1`, ['-', '', 'GET', `GET /a HTTQ/1`, `POST /p${n} x`][n % 5] as string),
  other_method: (n) => plain(n, BOT).replace('GET', ['HEAD', 'POST', 'OPTIONS', 'PROPFIND'][n % 4] as string),
  no_response: (n) => plain(n, BOT).replace(/" 20\d 5/, ['" 499 -', '" 444 0', '" 000 0', '" 099 5'][n % 4] as string),
  inspection: () =>
    plain(
      1,
      'Mozilla/5.0 (compatible; GPTBot/1.2) SpoorInspector/1.0 (+https://a.example/0b0e1f5e-1111-4222-8333-123456789012)',
    ),
  other_inspection: () =>
    plain(
      2,
      'Mozilla/5.0 (compatible; GPTBot/1.2) SpoorInspector/1.0 (+https://a.example/9b0e1f5e-1111-4222-8333-123456789012)',
    ),
  dummy_of_another_site: () => `x.example.org ${plain(3, 'x (internal dummy connection)')}`,
  bot_of_a_host: (n) => `b${n}.example.com ${plain(n, `${BOT} ${n % 3}`)}`,
  twice: (n) => `${plain(n, BOT)}\n${plain(n, BOT).replace('HTTP/1.1', 'HTTP/1.0')}`,
  ahead: (n) => plain(n, HUMAN).replace('/Mar/2026', '/May/2026'),
  bot_ahead: (n) => plain(n, BOT).replace('/Mar/2026', '/May/2026'),
  internal: () => `::1 - - [08/Mar/2026:12:00:00 +0000] "OPTIONS * HTTP/1.0" 200 - "-" "x (internal dummy connection)"`,
  noise: (n) => `nothing of any kind ${n}`,
  no_agent: (n) => plain(n, '').slice(0, -7),
  blank: () => '',
  escaped: (n) => plain(n, `\\"${HUMAN}\\"`),
  fields: (n) =>
    n % 2 === 0
      ? '#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent)'
      : '#Fields: time date cs-uri-stem cs-method sc-status cs(User-Agent)',
  row: (n) => `2026-03-07 10:00:0${n % 10} GET /w${n} 200 ${BOT.replaceAll(' ', '+')}`,
  request_twice: (n) =>
    JSON.stringify({
      id: `${n}`,
      source: 'lambda',
      deploymentId: 'd',
      requestId: `r${n % 3}`,
      timestamp: NOW - 86_400_000,
      proxy: { timestamp: NOW - 86_400_000, method: 'GET', path: `/v${n}`, statusCode: 200, userAgent: [BOT] },
    }),
}

const GPTBOT_LIST = 'https://openai.com/gptbot.json'
const lists = {
  versions: [
    {
      id: 'v',
      list_id: GPTBOT_LIST,
      code: listCode(GPTBOT_LIST),
      sha256: 'ab',
      is_whole_as: false,
      loaded_at: Date.parse('2026-03-04T00:00:00Z'),
      confirmed_at: NOW,
      superseded_at: null,
      ranges: rangesOf(['8.8.8.0/24']),
    },
  ],
  trusted: rangesOf(['203.0.113.64/27']),
}
/** Names that are asked for get ids that name the address. */
const names = { find: (address: string) => ({ pending: `of ${address}` }) }

const OWN_INSPECTION = '0b0e1f5e-1111-4222-8333-123456789012'
const DELIVERY = '33333333-3333-4333-8333-333333333333'
const moved = [
  {
    source_id: 'unnamed',
    server: '',
    ranges: [{ from: Date.parse('2026-03-03T00:00:00Z'), to: Date.parse('2026-03-04T12:00:00Z') }],
  },
]
const origin = { source_id: 'source', server: 'web-1', moved, delivery_id: DELIVERY }
const site = { root_domain: 'example.com', default_host: 'example.com' }
const block = { ...origin, ...site, now: NOW, latest: NOW + 86_400_000 }
const setting = { block, document: builtInDocument, lists, asks_names: true }

let threads: BlockThread[]
let handed_over = 0
beforeAll(async () => {
  threads = [openBlockThread(setting), openBlockThread(setting)]
  while (!threads.every((one) => one.isReady())) await pause(5)
})
afterAll(() => Promise.all(threads.map((one) => one.close())))

/** Lends the threads in turn and leaves them open. */
const lent = (closed: () => void = () => {}) => {
  let next = 0
  return (): BlockThread => {
    const thread = threads[next++ % 2] as BlockThread
    return {
      isReady: () => true,
      read(block) {
        handed_over += 1
        return thread.read(block)
      },
      async close() {
        closed()
      },
    }
  }
}
const IN_THREADS: Threading = { least_bytes: 0, threads: 2, block_bytes: 3_000, open: lent() }
const HERE: Threading = { ...IN_THREADS, least_bytes: Number.POSITIVE_INFINITY }

interface Limits {
  agents: number
  characters: number
}

/** Everything that an import takes from a file: what the receipt reports, the time covered, and the rows as staged. */
async function read(text: string, chunk: number, how: Threading | 'as text', limits?: Limits) {
  const pieces: Uint8Array[] = []
  const evidence = {
    async insert(_table: string, { pieces: more }: NativeRows) {
      pieces.push(...more.map((piece) => piece.slice()))
    },
  }
  const registry = readBuiltInRegistry()
  const counts = new FileCounts()
  const agents = new FileAgents(registry, limits)
  const host_names = new HostNames([])
  const reading: FileReading = {
    ...origin,
    ...site,
    now: NOW,
    agents,
    document: builtInDocument,
    lists,
    asks_names: true,
    prove: proveBy(registry, lists, names),
    own_inspections: new Set([OWN_INSPECTION]),
    host_names,
    counts,
    stage: new Stage(evidence as unknown as ConstructorParameters<typeof Stage>[0], DELIVERY),
    clock: { now: () => NOW, elapsed: () => performance.now(), shared: () => NOW },
    timezone: 'Europe/Berlin',
  }
  let reported = 0
  const batches = readLines(chunked(Buffer.from(text, 'latin1'), chunk))
  const onLines = (lines: number) => {
    reported = lines
  }
  if (how === 'as text') {
    const walk = new LineWalk(reading, onLines)
    for await (const batch of batches) await walk.lines(batch)
  } else {
    await readFile(reading, batches, onLines, how)
  }
  await reading.stage.finish()
  const rows = readNative(Buffer.concat(pieces))
  const { double_log, minutes, reasons, hosts, foreign_hosts, ...sums } = counts
  return {
    ...sums,
    reported,
    rows: rows.sort(byLine),
    share: double_log.share(),
    covered: minutes.covered(),
    reasons: sortCounts(reasons),
    hosts: sortCounts(hosts),
    foreign: sortCounts(foreign_hosts),
    words: counts.malformedReasons(),
    crowded_days: [...agents.crowded_days],
    crowded: host_names.crowded,
    stored: agents.stored().sort((a, b) => (a.agent_key < b.agent_key ? -1 : 1)),
  }
}

const byLine = (a: NativeRow, b: NativeRow) => Number(a.line_number) - Number(b.line_number)

/** Reads a text in every way, and returns what all of them gave. */
async function readAlike(text: string, chunk: number, limits?: Limits) {
  const alone = await read(text, chunk, 'as text', limits)
  expect(await read(text, chunk, HERE, limits)).toEqual(alone)
  expect(await read(text, chunk, IN_THREADS, limits)).toEqual(alone)
  return alone
}

const textOf = (kinds: readonly string[], end = '\n') =>
  kinds.map((kind, n) => (KINDS[kind] as (n: number) => string)(n) + end).join('')

describe('blocks give the same result as the reader of text', () => {
  test('for any lines in any order, in chunks and blocks that end anywhere', async () => {
    const kinds = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('human', 'another_human', 'human_with_tail', 'of_a_host') },
        { weight: 3, arbitrary: fc.constantFrom('bot', 'bot_again', 'bot_of_a_host', 'bot_with_tail') },
        { weight: 3, arbitrary: fc.constantFrom(...Object.keys(KINDS)) },
      ),
      { minLength: 40, maxLength: 250, size: 'max' },
    )
    const last = fc.constantFrom('', plain(7, HUMAN), plain(7, BOT), plain(7, BOT, ' 0.0'), plain(7, BOT).slice(0, -9))
    const end = fc.constantFrom('\n', '\r\n')
    const limits = fc.constantFrom(undefined, { agents: 3, characters: 10_000 }, { agents: 300, characters: 20_000 })
    await fc.assert(
      fc.asyncProperty(
        ...[kinds, end, last, fc.integer({ min: 200, max: 3_200 }), limits],
        async (drawn, line_end, tail, chunk, most) => {
          await readAlike(textOf(drawn, line_end) + tail, chunk, most)
        },
      ),
      { numRuns: 60 },
    )
    expect(handed_over).toBeGreaterThan(200)
  }, 120_000)

  test('every kind of line, alone and after another line of the same kind', async () => {
    for (const kind of Object.keys(KINDS)) await readAlike(textOf(Array(8).fill(kind)), 1_000)
    const all = await readAlike(textOf(Array(40).fill(Object.keys(KINDS)).flat()), 2_000)
    const seen = (column: string) => new Set(all.rows.map((row) => row[column]))
    expect(seen('path')).toContain('/u/:redacted/:redacted')
    expect(seen('path_fidelity')).toEqual(new Set(['exact', 'redacted']))
    expect(seen('status')).toEqual(new Set([0, 200, 201, 202, 203, 204]))
    expect(all.own_inspection).toBe(40)
    const proofs = all.stored.map(({ proof }) => proof).join()
    for (const part of ['"pending":"of 9.9.9.', '"sha256":"ab"', '"attested":false']) expect(proofs).toContain(part)
  })

  test('a line cut or changed at any byte', async () => {
    const line = `www.example.com:443 ${plain(3, BOT)} "203.0.113.9"`
    const cut = Array.from({ length: line.length }, (_, at) => line.slice(0, at)).join('\n')
    await readAlike(`${cut}\n`, 3_000)
    for (const put of ['"', ' ', '\\', '\xe9', '\0']) {
      const changed = Array.from({ length: line.length }, (_, at) => line.slice(0, at) + put + line.slice(at + 1))
      await readAlike(`${changed.join('\n')}\n`, 3_000)
    }
  })

  test('lines up to the longest allowed, and over it', async () => {
    const padded = (size: number) => plain(1, BOT).replace('/a1', `/${'x'.repeat(size - plain(1, BOT).length + 2)}`)
    const text = [padded(1_048_576), plain(2, BOT), padded(1_048_577), plain(3, HUMAN), ''].join('\n')
    expect(await readAlike(text, 500_000)).toMatchObject({ lines: 4, kept: 2, malformed: 1, human: 1 })
    expect(await read(text, 500_000, { ...IN_THREADS, block_bytes: 4_000_000 })).toMatchObject({
      kept: 2,
      malformed: 1,
    })
  })

  test('a log that has requests twice, wherever a block ends between them', async () => {
    const text = textOf(Array.from({ length: 400 }, (_, n) => (n % 5 === 0 ? 'noise' : 'twice')))
    expect((await readAlike(text, 777)).share).toBeCloseTo(1, 1)
  })

  test('past the most hosts of a site, and for the hosts named in advice', async () => {
    const hosts = Array.from(
      { length: 3_000 },
      (_, n) => `h${(n * 3) % 1_400}.example.com ${plain(n, n % 3 === 0 ? BOT : HUMAN)}\n`,
    )
    const foreign = Array.from({ length: 40 }, (_, n) => `h${n}.example.org ${plain(n, n % 2 === 0 ? BOT : HUMAN)}\n`)
    for (const text of [hosts.join(''), foreign.join(''), [...hosts.slice(0, 2_900), ...foreign].join('')])
      await readAlike(text, 1_000)
    const kept = Array.from({ length: 1_100 }, (_, n) => `k${n}.example.com ${plain(n, BOT)}\n`)
    expect((await readAlike(kept.join(''), 3_000)).crowded).toBe(true)
  })

  test('past the most agents of a day', async () => {
    const text = Array.from({ length: 10_200 }, (_, n) => `${plain(0, `Invented-Bot/${n}`)}\n`).join('')
    const alone = await read(text, 60_000, 'as text')
    expect(alone.crowded_days).toHaveLength(1)
    // Of several blocks, or of one that has all agents of a day that no earlier block had.
    for (const block_bytes of [100_000, 4_000_000])
      expect(await read(text, 60_000, { ...IN_THREADS, block_bytes })).toEqual(alone)
  })

  test('a file with hardly any plain lines is soon read by the reader of text', async () => {
    const text = textOf(Array.from({ length: 2_000 }, (_, n) => (n % 10 === 0 ? 'human' : 'row')))
    const before = handed_over
    await readAlike(text, 1_000)
    expect(handed_over - before).toBeLessThan(30)
  })
})

describe('another thread', () => {
  test('that fails fails the import, whatever was handed over', async () => {
    const failing = openBlockThread({ ...setting, document: { ...builtInDocument, automation_signs: null } as never })
    failing.close = async () => {}
    const text = textOf(Array(500).fill('human'))
    const ready_at_once: Threading = { ...IN_THREADS, open: () => ({ ...failing, isReady: () => true }) }
    await expect(read(text, 1_000, ready_at_once)).rejects.toThrow(/thread that reads lines .* nothing was stored/)
    await expect(failing.read(new Uint8Array(new SharedArrayBuffer(1)))).rejects.toThrow(/nothing was stored/)
    expect(failing.isReady()).toBe(false)
  })

  test('is closed when the file ends and when it breaks off', async () => {
    let closed = 0
    const counted: Threading = { ...IN_THREADS, open: lent(() => (closed += 1)) }
    await read(textOf(['human', 'bot']), 1_000, counted)
    expect(closed).toBe(2)
    async function* broken() {
      yield { bytes: Buffer.from(`${plain(1, HUMAN)}\n`), too_long: false, terminated: true }
      throw new Error('the disk is gone')
    }
    const reading = { ...origin, ...site, now: NOW, lists, asks_names: false, document: builtInDocument }
    const rest = {
      agents: new FileAgents(readBuiltInRegistry()),
      counts: new FileCounts(),
      clock: { elapsed: () => 0 },
    }
    await expect(readFile({ ...reading, ...rest } as never, broken(), () => {}, counted)).rejects.toThrow(
      'disk is gone',
    )
    expect(closed).toBe(4)
  })
})
