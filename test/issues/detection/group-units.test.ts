import { describe, expect, test } from 'vitest'
import { groupUnits, type HarmedPath, type KnownPath, wholeHost } from '#issues/detection/group-units.ts'
import { coversPath, keyOfPath, prefixOf } from '#issues/unit.ts'

const at = Date.parse('2026-03-10T12:00:00Z')
const harmed = (path: string, given: Partial<HarmedPath> = {}): HarmedPath => ({
  host: 'example.com',
  path,
  page_id: path,
  crawler_id: 'gptbot',
  vantage: 'origin',
  harm: 'server_error',
  harmful: 3,
  observed: 3,
  is_login_asked: 0,
  rank: 1,
  first_ms: at,
  last_ms: at,
  first_day: '2026-03-10',
  last_day: '2026-03-10',
  ...given,
})
const paths = (prefix: string, count: number, given?: Partial<HarmedPath>) =>
  Array.from({ length: count }, (_one, index) => harmed(`${prefix}${index}`, given))
const keys = (found: readonly HarmedPath[]) =>
  groupUnits(found).map(({ path_key, crawler_id, members }) => [path_key, crawler_id, members.length])

describe('grouping (rules 8.1)', () => {
  test('four paths below a prefix are four, five are one', () => {
    expect(keys(paths('/docs/', 4))).toHaveLength(4)
    expect(keys(paths('/docs/', 5))).toEqual([['/docs/*', 'gptbot', 5]])
  })

  test('harm below five prefixes is one issue of the host', () => {
    const found = ['/a/', '/b/', '/c/', '/d/', '/e/'].flatMap((prefix) => paths(prefix, 5))
    expect(keys(found)).toEqual([['/*', 'gptbot', 25]])
    expect(keys(found.slice(5))).toHaveLength(4)
  })

  test('three crawlers within a day are one issue, two are two', () => {
    const of = (crawler_id: string, last_ms = at) => paths('/docs/', 5, { crawler_id, last_ms })
    expect(keys([...of('gptbot'), ...of('claudebot'), ...of('ccbot')])).toEqual([['/docs/*', null, 15]])
    expect(keys([...of('gptbot'), ...of('claudebot')])).toHaveLength(2)
    expect(keys([...of('gptbot'), ...of('claudebot'), ...of('ccbot', at - 30 * 3_600_000)])).toHaveLength(3)
  })

  test('harm that already has an issue is counted, and does not change', () => {
    const own = (path: HarmedPath) => ({ ...path, issue_path_key: path.path })
    const below = (prefix: string) => (path: HarmedPath) => ({ ...path, issue_path_key: `${prefix}*` })
    const keysBeside = (found: readonly HarmedPath[], known: readonly KnownPath[]) =>
      groupUnits(found, known).map(({ path_key, crawler_id, members }) => [path_key, crawler_id, members.length])
    const fresh = harmed('/docs/new')
    expect(keysBeside([fresh], paths('/docs/', 3).map(own))).toEqual([['/docs/new', 'gptbot', 1]])
    expect(keysBeside([fresh], paths('/docs/', 4).map(own))).toEqual([['/docs/*', 'gptbot', 1]])
    expect(keysBeside([fresh], paths('/docs/', 4, { crawler_id: 'ccbot' }).map(own))).toHaveLength(1)
    const prefixes = ['/a/', '/b/', '/c/', '/d/'].flatMap((prefix) => paths(prefix, 5).map(below(prefix)))
    expect(keysBeside(paths('/e/', 5), prefixes)).toEqual([['/*', 'gptbot', 5]])
    const others = ['claudebot', 'ccbot'].flatMap((crawler_id) =>
      paths('/docs/', 5, { crawler_id }).map(below('/docs/')),
    )
    expect(keysBeside(paths('/docs/', 5), others)).toEqual([['/docs/*', null, 5]])
  })

  test('units of different harms, hosts or vantages are not grouped', () => {
    const found = [
      ...paths('/docs/', 4),
      harmed('/docs/x', { harm: 'refused' }),
      harmed('/docs/y', { host: 'b.example' }),
    ]
    expect(keys(found)).toHaveLength(6)
  })

  test('units beyond the daily limit of new issues are counted in an issue of the whole host', () => {
    const rest = wholeHost(groupUnits([...paths('/a/', 3), ...paths('/b/', 3, { crawler_id: 'ccbot' })]))
    expect(rest.map(({ path_key, crawler_id, members }) => [path_key, crawler_id, members.length])).toEqual([
      ['/*', null, 6],
    ])
  })

  test('a prefix extends to the last slash, and contains the paths below it', () => {
    expect(['/a', '/a/b', '/a/b/', '/', '/a/'].map(prefixOf)).toEqual(['/', '/a/', '/a/', '/', '/'])
    expect(coversPath('/a/*', '/a/b/c')).toBe(true)
    expect(coversPath('/a/*', '/ab')).toBe(false)
    expect(coversPath('/a', '/a/b')).toBe(false)
  })

  test('a path that ends with * is one path', () => {
    const star = harmed('/docs/*')
    expect(keys([star])).toEqual([['/docs/%2A', 'gptbot', 1]])
    expect(keys(['claudebot', 'ccbot', 'gptbot'].map((crawler_id) => harmed('/docs/*', { crawler_id })))).toHaveLength(
      3,
    )
    expect(keys([star, ...paths('/docs/', 4)])).toEqual([['/docs/*', 'gptbot', 5]])
    const known = [star, ...paths('/docs/', 3)].map((path) => ({ ...path, issue_path_key: keyOfPath(path.path) }))
    expect(groupUnits([harmed('/docs/new')], known).map(({ path_key }) => path_key)).toEqual(['/docs/*'])
    expect(['/docs/*', '/docs/a'].map((path) => coversPath(keyOfPath('/docs/*'), path))).toEqual([true, false])
  })
})
