import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { describeLists, findList } from '#crawlers/identity/lists/describe-lists.ts'
import { isInForce } from '#crawlers/identity/lists/list-versions.ts'
import { type FetchList, loadDueLists, loadLists, namedLists } from '#crawlers/identity/lists/load-lists.ts'
import { readList } from '#crawlers/identity/lists/read-list.ts'
import { storeListVersion } from '#crawlers/identity/lists/store-list-version.ts'
import { listCode } from '#crawlers/identity/proof-facts.ts'
import { makeProver } from '#crawlers/identity/prover.ts'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GPTBOT = 'https://openai.com/gptbot.json'
const registry = readBuiltInRegistry()
const { trusted_proxies } = readConfig({ SPOOR_TRUSTED_PROXIES: '20.1.2.128/25' })
const registries = { current: async () => registry }

let held: TestControl
let clock: FakeClock
let ctx: { control: TestControl['control']; clock: FakeClock; registries: typeof registries }
beforeEach(async () => {
  held = await openTestControl()
  clock = fakeClock('2026-03-10T12:00:00Z')
  ctx = { control: held.control, clock, registries }
})
afterEach(() => held.remove())

const read = (text: string) => readList(Buffer.from(text))
const keep = (text: string, options = {}) => storeListVersion(ctx, GPTBOT, read(text), options)
const versions = () =>
  ctx.control.db
    .selectFrom('ip_list_versions')
    .select(['prefixes', 'loaded_at', 'confirmed_at', 'superseded_at', 'published_at'])
    .where('list_id', '=', GPTBOT)
    .orderBy('loaded_at')
    .execute()
const dated = (creationTime: string, ...prefixes: string[]) => JSON.stringify({ creationTime, prefixes })

describe('versions of a list', () => {
  test('the same content is confirmed, other content supersedes it, and content that comes back is a new version', async () => {
    const start = clock.now()
    await keep('20.1.2.0/24')
    clock.advance(DAY)
    expect(await keep('20.1.2.0/24')).toMatchObject({ is_new: false, prefixes: 1 })
    clock.advance(DAY)
    expect(await keep('20.9.9.0/24')).toMatchObject({ is_new: true })
    clock.advance(DAY)
    await keep('20.1.2.0/24')
    expect(await versions()).toMatchObject([
      { prefixes: '20.1.2.0/24', loaded_at: start, confirmed_at: start + DAY, superseded_at: start + 2 * DAY },
      { prefixes: '20.9.9.0/24', loaded_at: start + 2 * DAY, superseded_at: start + 3 * DAY },
      { prefixes: '20.1.2.0/24', loaded_at: start + 3 * DAY, superseded_at: null },
    ])
  })

  test('a document with a new date and the same networks is the same version', async () => {
    await keep(dated('2026-03-09T14:46:48', '20.1.2.0/24'))
    expect(await keep(dated('2026-03-10T10:46:48', '20.1.2.0/24'))).toMatchObject({ is_new: false })
    expect(await versions()).toMatchObject([{ published_at: Date.parse('2026-03-10T10:46:48Z') }])
  })

  test('a person cannot import an older document by mistake', async () => {
    await keep(dated('2026-03-09T00:00:00', '20.1.2.0/24'))
    const older = dated('2026-03-08T00:00:00', '20.9.9.0/24')
    await expect(keep(older, { refuse_older: true })).rejects.toThrow(/older than the stored one, of 2026-03-09/)
    expect(await versions()).toHaveLength(1)
  })

  test.each([
    ['loaded in the last moment of the day', { loaded_at: DAY - 1 }, true],
    ['loaded after the day', { loaded_at: DAY }, false],
    ['replaced within the day', { superseded_at: 0 }, true],
    ['replaced before the day', { superseded_at: -1 }, false],
    ['confirmed 7 days before', { loaded_at: -9 * DAY, confirmed_at: -7 * DAY }, true],
    ['confirmed longer before', { loaded_at: -9 * DAY, confirmed_at: -7 * DAY - 1 }, false],
  ])('one %s: in force %s', (_what, given, expected) => {
    const version = { loaded_at: 0, confirmed_at: 0, superseded_at: null, ...given }
    expect(isInForce(version, 0)).toBe(expected)
  })
})

describe('loading from vendors', () => {
  const answers = new Map<string, { status: number; body: Buffer } | Error>()
  const asked: string[] = []
  const fetchList: FetchList = async (url) => {
    asked.push(url)
    const answer = answers.get(url) ?? { status: 200, body: Buffer.from('20.1.2.0/24') }
    if (answer instanceof Error) throw answer
    return answer
  }
  beforeEach(() => {
    answers.clear()
    asked.length = 0
  })

  test('loads every named list once; one that fails keeps its content and says why', async () => {
    await keep('20.125.66.80/28')
    answers.set(GPTBOT, { status: 503, body: Buffer.from('busy') })
    answers.set('https://kagi.com/bot', new Error('no route'))
    answers.set('https://www.bing.com/toolbox/bingbot.json', { status: 200, body: Buffer.from('<html>Moved</html>') })
    const loaded = await loadLists(ctx, fetchList)
    expect(asked.toSorted()).toEqual(namedLists(registry))
    expect(new Set(asked).size).toBe(asked.length)
    expect(loaded.filter((list) => 'failure' in list)).toEqual([
      { list_id: 'https://kagi.com/bot', failure: 'no route' },
      { list_id: GPTBOT, failure: 'the server answered with status 503' },
      { list_id: 'https://www.bing.com/toolbox/bingbot.json', failure: expect.stringMatching(/contains no address/) },
    ])
    const shown = await describeLists(ctx)
    expect(shown.find((list) => list.id === GPTBOT)).toMatchObject({
      code: listCode(GPTBOT),
      crawlers: ['gptbot'],
      state: 'in_force',
      prefixes: 1,
      failure: expect.stringMatching(/503/),
    })
    expect(shown.find((list) => list.id === 'https://kagi.com/bot')).toMatchObject({ state: 'never', sha256: null })
  })

  test('is due once a day, each at a different time, and an hour after a failure', async () => {
    answers.set(GPTBOT, { status: 503, body: Buffer.from('') })
    const all = namedLists(registry).length
    expect(await loadDueLists(ctx, fetchList)).toHaveLength(all)
    clock.advance(HOUR - 1)
    expect(await loadDueLists(ctx, fetchList)).toHaveLength(0)
    clock.advance(1)
    expect(await loadDueLists(ctx, fetchList)).toMatchObject([{ list_id: GPTBOT }])
    answers.clear()
    clock.advance(22 * HOUR)
    const early = (await loadDueLists(ctx, fetchList)).length
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThan(all)
    clock.advance(HOUR)
    expect(early + (await loadDueLists(ctx, fetchList)).length).toBeGreaterThanOrEqual(all)
  })

  test('a stop is not a failure of a list', async () => {
    await expect(loadLists(ctx, fetchList, AbortSignal.abort())).rejects.toThrow(/abort/i)
    expect(await ctx.control.db.selectFrom('ip_list_loads').selectAll().execute()).toEqual([])
  })
})

test('a list is named by URL, code or crawler', () => {
  for (const text of [GPTBOT, listCode(GPTBOT), 'gptbot', 'GPTBot']) expect(findList(registry, text)).toBe(GPTBOT)
  expect(() => findList(registry, 'bytespider')).toThrow(/vendor of bytespider publishes no list/)
  expect(() => findList(registry, 'https://example.com/x.json')).toThrow(/names no list https:\/\/example.com\/x.json/)
})

describe('a prover', () => {
  const request = {
    user_agent: 'GPTBot/1.4',
    address: '20.1.2.3',
    attested: true,
    verified_bot: null,
    signature_verified: false,
  }
  const prove = (prover: ReturnType<typeof makeProver>, more: Partial<typeof request> = {}) =>
    prover.prove({ ...request, at: clock.now(), received_at: clock.now(), ...more })

  test('sees another version at its next refresh', async () => {
    const prover = makeProver(ctx, { asks_names: false, trusted_proxies })
    await prover.refresh()
    expect(prove(prover)).toBe('')
    await keep('20.1.2.0/24')
    expect(prove(prover)).toBe('')
    await prover.refresh()
    const { sha256 } = read('20.1.2.0/24')
    const code = listCode(GPTBOT)
    expect(JSON.parse(prove(prover))).toEqual({ attested: true, held: code, in: [{ list: code, sha256 }] })
    expect(JSON.parse(prove(prover, { address: '20.1.3.3' }))).toEqual({ attested: true, held: code })
    // A trusted proxy's address identifies no client, even inside the list.
    expect(JSON.parse(prove(prover, { address: '20.1.2.129' }))).toEqual({ attested: false })
  })

  test('keeps no address when it asks for no names', async () => {
    const prover = makeProver(ctx, { asks_names: false, trusted_proxies })
    await prover.refresh()
    prove(prover, { user_agent: 'YandexBot/3.0' })
    expect(prover.names.takeUnsaved()).toEqual([])
  })

  test('queues an address once a day, and a limited number at once', async () => {
    const prover = makeProver(ctx, { asks_names: true, trusted_proxies })
    await prover.refresh()
    const yandex = (address: string) => prove(prover, { user_agent: 'YandexBot/3.0', address })
    const first = yandex('20.1.2.3')
    expect(yandex('20.1.2.3')).toBe(first)
    for (let index = 1; index < 1_000; index++) yandex(`20.2.${index >> 8}.${index & 255 || 9}`)
    const waiting = prover.names.takeUnsaved()
    expect(waiting.length).toBeGreaterThan(990)
    expect(waiting.filter(({ address }) => address === '20.1.2.3')).toHaveLength(1)
    for (let index = 1; index < 50; index++) yandex(`20.3.1.${index}`)
    expect(waiting.length + prover.names.takeUnsaved().length).toBe(1_000)
    expect(yandex('20.4.1.1')).toBe('')
    clock.advance(DAY)
    expect(yandex('20.1.2.3')).not.toBe(first)
  })
})
