/** A file read in two threads must give what one thread gives, to the byte. */
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInDocument, readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { HostNames } from '#intake/facts/host-limit.ts'
import { FileAgents } from '#intake/import/file-agents.ts'
import { FileCounts } from '#intake/import/file-counts.ts'
import { openPrefilterThread, type PrefilterThread } from '#intake/import/prefilter-thread.ts'
import { readFile, type Threading } from '#intake/import/read-file.ts'
import { sortCounts } from '#intake/import/receipt.ts'
import { Stage } from '#intake/import/stage-rows.ts'
import { readLines } from '#intake/log/lines.ts'
import { chunked } from '../log/read-lines.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const HUMAN = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
const BOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
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
      ...{ id: `${n}`, source: 'lambda', deploymentId: 'd', requestId: `r${n % 3}`, timestamp: NOW - 86_400_000 },
      proxy: { timestamp: NOW - 86_400_000, method: 'GET', path: `/v${n}`, statusCode: 200, userAgent: [BOT] },
    }),
}

let thread: PrefilterThread
let prefiltered = 0
const setting = { document: builtInDocument, latest: NOW + 86_400_000 }
beforeAll(async () => {
  thread = openPrefilterThread(setting)
  while (!thread.isReady()) await pause(5)
})
afterAll(() => thread.close())

const IN_TWO: Threading = {
  least_bytes: 0,
  block_bytes: 3_000,
  open: () => ({
    ...thread,
    prefilter(order) {
      prefiltered += 1
      return thread.prefilter(order)
    },
    async close() {},
  }),
}
const IN_ONE: Threading = { ...IN_TWO, least_bytes: Number.POSITIVE_INFINITY }

/** Everything that an import takes from a file: what the receipt reports, the time covered, and the rows as staged. */
async function read(text: string, chunk: number, threading: Threading, registry = readBuiltInRegistry()) {
  const rows: string[] = []
  const evidence = {
    async insert(_table: string, bytes: Uint8Array) {
      rows.push(Buffer.from(bytes).toString())
    },
  }
  const stage = new Stage(evidence as unknown as ConstructorParameters<typeof Stage>[0], 'delivery')
  const all = new FileCounts()
  const agents = new FileAgents(registry, { agents: 3, characters: 10_000 })
  const host_names = new HostNames([])
  const reading = {
    ...{ delivery_id: 'delivery', source_id: 'source', moved: [], server: '', root_domain: 'example.com', now: NOW },
    ...{
      default_host: 'example.com',
      agents,
      document: builtInDocument,
      prove: () => '',
      own_inspections: new Set<string>(),
      host_names,
      stage,
      counts: all,
    },
    ...{ clock: { now: () => NOW, elapsed: () => performance.now() }, timezone: 'Europe/Berlin' },
  }
  let reported = 0
  await readFile(
    reading,
    readLines(chunked(Buffer.from(text, 'latin1'), chunk)),
    (lines) => (reported = lines),
    threading,
  )
  await stage.finish()
  const { double_log, minutes, reasons, hosts, foreign_hosts, ...counts } = all
  return {
    ...counts,
    ...{ reported, rows: rows.join(''), share: double_log.share(), covered: minutes.covered() },
    ...{
      reasons: [...reasons],
      hosts: sortCounts(hosts),
      foreign: [...foreign_hosts],
      words: all.malformedReasons(),
    },
    ...{ crowded_days: [...agents.crowded_days], stored: agents.stored(), crowded: host_names.crowded },
  }
}

const textOf = (kinds: readonly string[], end = '\n') =>
  kinds.map((kind, n) => (KINDS[kind] as (n: number) => string)(n) + end).join('')

describe('two threads give what one gives', () => {
  test('for any lines in any order, in chunks and blocks that end anywhere', async () => {
    const kinds = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('human', 'another_human', 'human_with_tail', 'of_a_host') },
        { weight: 3, arbitrary: fc.constantFrom(...Object.keys(KINDS)) },
      ),
      { minLength: 40, maxLength: 300, size: 'max' },
    )
    const last = fc.constantFrom('', plain(7, HUMAN), plain(7, BOT), plain(7, BOT, ' 0.0'), plain(7, BOT).slice(0, -9))
    const end = fc.constantFrom('\n', '\r\n')
    await fc.assert(
      fc.asyncProperty(kinds, end, last, fc.integer({ min: 200, max: 3_200 }), async (drawn, line_end, tail, chunk) => {
        const text = textOf(drawn, line_end) + tail
        expect(await read(text, chunk, IN_TWO)).toEqual(await read(text, chunk, IN_ONE))
      }),
      { numRuns: 60 },
    )
    expect(prefiltered).toBeGreaterThan(200)
  }, 120_000)

  test('past the most hosts of a site, and for the hosts named in advice', async () => {
    const hosts = Array.from(
      { length: 3_000 },
      (_, n) => `h${(n * 3) % 1_400}.example.com ${plain(n, n % 3 === 0 ? BOT : HUMAN)}\n`,
    )
    const foreign = Array.from({ length: 40 }, (_, n) => `h${n}.example.org ${plain(n, n % 2 === 0 ? BOT : HUMAN)}\n`)
    for (const text of [hosts.join(''), foreign.join(''), [...hosts.slice(0, 2_900), ...foreign].join('')]) {
      const one = await read(text, 1_000, IN_ONE)
      expect(await read(text, 1_000, IN_TWO)).toEqual(one)
    }
  })

  test('a file with hardly any human lines is read in one before long', async () => {
    const text = textOf(Array.from({ length: 2_000 }, (_, n) => (n % 10 === 0 ? 'human' : 'bot')))
    const before = prefiltered
    expect(await read(text, 1_000, IN_TWO)).toEqual(await read(text, 1_000, IN_ONE))
    expect(prefiltered - before).toBeLessThan(20)
  })
})

describe('a second thread', () => {
  test('that fails fails the import, whatever was handed over', async () => {
    const failing = openPrefilterThread({
      ...setting,
      document: { ...builtInDocument, automation_signs: null } as never,
    })
    failing.close = async () => {}
    const text = textOf(Array(500).fill('human'))
    const ready_at_once: Threading = { ...IN_TWO, open: () => ({ ...failing, isReady: () => true }) }
    await expect(read(text, 1_000, ready_at_once)).rejects.toThrow(
      /thread that counts human lines .* nothing was stored/,
    )
    await expect(failing.prefilter({ block: new ArrayBuffer(1), size: 1 })).rejects.toThrow(/nothing was stored/)
    expect(failing.isReady()).toBe(false)
  })

  test('is closed when the file ends and when it breaks off', async () => {
    let closed = 0
    const counted: Threading = {
      ...IN_TWO,
      open: () => ({
        ...thread,
        async close() {
          closed += 1
        },
      }),
    }
    await read(textOf(['human', 'bot']), 1_000, counted)
    expect(closed).toBe(1)
    async function* broken() {
      yield { bytes: Buffer.from(`${plain(1, HUMAN)}\n`), too_long: false, terminated: true }
      throw new Error('the disk is gone')
    }
    const reading = {
      counts: new FileCounts(),
      agents: new FileAgents(readBuiltInRegistry()),
      clock: { elapsed: () => 0 },
    }
    const more = { document: builtInDocument, now: NOW, default_host: 'example.com', root_domain: 'example.com' }
    await expect(readFile({ ...reading, ...more } as never, broken(), () => {}, counted)).rejects.toThrow(
      'disk is gone',
    )
    expect(closed).toBe(2)
  })
})
