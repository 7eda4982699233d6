import { describe, expect, test } from 'vitest'
import { dayStart, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { countDays, reportedThrough } from '#crawlers/coverage/counting.ts'
import { eachDay } from '#crawlers/coverage/window.ts'

const at = (text: string) => Date.parse(text)
const asOf = at('2026-03-10T12:00:00Z')
const range = { from: '2026-03-08', to: '2026-03-10' }

function source(id: string, changes: Partial<SourceRow> = {}): SourceRow {
  return {
    id,
    site_id: 'site',
    source_type: 'log_upload',
    server: '',
    connection_status: 'live',
    is_primary: 1,
    created_at: 0,
    connected_at: at('2026-01-01T00:00:00Z'),
    data_through: at('2026-03-10T11:00:00Z'),
    has_statuses: 1,
    ...changes,
  }
}

type Watched = Pick<CoverageIntervalRow, 'source_id' | 'host' | 'from_at' | 'to_at' | 'quality'>

function watched(sourceId: string, from: string, to: string, changes: Partial<Watched> = {}): Watched {
  return { source_id: sourceId, host: '*', from_at: at(from), to_at: at(to), quality: 'complete', ...changes }
}

function states(sources: SourceRow[], intervals: Watched[], now = asOf) {
  const counted = countDays(sources, intervals, range, now)
  return eachDay(range).map((day) => counted.states.get(day))
}

describe('the state of a UTC day (rules 3)', () => {
  test('a day covered in full is complete, one covered in part is partial, one that nothing touches is a gap', () => {
    const intervals = [watched('a', '2026-03-09T06:00:00Z', '2026-03-10T11:00:00Z')]
    expect(states([source('a')], intervals)).toEqual(['gap', 'partial', 'complete'])
  })

  test('today is complete while data_through is under two hours old and the day is covered up to it', () => {
    const fresh = source('a', { data_through: asOf - 2 * HOUR_MS + MINUTE_MS })
    const intervals = [watched('a', '2026-03-08T00:00:00Z', '2026-03-10T10:01:00Z')]
    expect(states([fresh], intervals)).toEqual(['complete', 'complete', 'complete'])
  })

  test('today is partial when touched and data_through is two hours old or older, else a gap', () => {
    const touched = [watched('a', '2026-03-10T00:00:00Z', '2026-03-10T10:00:00Z')]
    expect(states([source('a', { data_through: asOf - 2 * HOUR_MS })], touched)).toEqual(['gap', 'gap', 'partial'])
    const untouched = [watched('a', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')]
    expect(states([source('a', { data_through: at('2026-03-09T00:00:00Z') })], untouched)).toEqual([
      'complete',
      'gap',
      'gap',
    ])
  })

  test('just after midnight a source that reported before it leaves today complete', () => {
    const now = at('2026-03-10T00:30:00Z')
    const intervals = [watched('a', '2026-03-08T00:00:00Z', '2026-03-09T23:40:00Z')]
    const fresh = source('a', { data_through: at('2026-03-09T23:40:00Z') })
    expect(states([fresh], intervals, now)).toEqual(['complete', 'partial', 'complete'])
  })

  test('just after midnight a fresh log of one host says nothing about another', () => {
    const now = at('2026-03-10T00:30:00Z')
    const intervals = [
      watched('a', '2026-03-08T00:00:00Z', '2026-03-08T01:00:00Z'),
      watched('a', '2026-03-08T00:00:00Z', '2026-03-09T23:40:00Z', { host: 'www.example.com' }),
    ]
    expect(states([source('a', { data_through: at('2026-03-09T23:40:00Z') })], intervals, now)[2]).toBe('partial')
  })

  test('partial evidence never makes a day complete', () => {
    const intervals = [watched('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z', { quality: 'partial' })]
    expect(states([source('a')], intervals).slice(0, 2)).toEqual(['partial', 'partial'])
  })

  test('data_through never lies after as_of: it is the last watched instant before it', () => {
    const intervals = [
      watched('a', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
      watched('a', '2026-03-20T00:00:00Z', '2026-03-21T00:00:00Z'),
    ]
    const reported = source('a', { data_through: at('2026-03-21T00:00:00Z') })
    expect(reportedThrough(reported, intervals, asOf)).toBe(at('2026-03-02T00:00:00Z'))
    expect(reportedThrough(reported, intervals, at('2026-03-20T05:00:00Z'))).toBe(at('2026-03-20T05:00:00Z'))
    expect(reportedThrough(reported, intervals, at('2026-02-01T00:00:00Z'))).toBeNull()
    expect(states([reported], intervals)).toEqual(['gap', 'gap', 'gap'])
  })

  test('nothing after as_of counts as watched', () => {
    const now = at('2026-03-09T12:00:00Z')
    const intervals = [watched('a', '2026-03-08T00:00:00Z', '2026-03-12T00:00:00Z')]
    const counted = countDays([source('a', { data_through: at('2026-03-12T00:00:00Z') })], intervals, range, now)
    expect(counted.states.get('2026-03-10')).toBe('gap')
  })

  test('a site that declares servers is complete only when each covers the day', () => {
    const servers = [source('a', { server: 'web1' }), source('b', { server: 'web2' })]
    const one = [watched('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z')]
    expect(states(servers, one).slice(0, 2)).toEqual(['partial', 'partial'])
    const both = [...one, watched('b', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')]
    expect(states(servers, both).slice(0, 2)).toEqual(['complete', 'partial'])
  })

  test('a day is as bad as its worst expected host', () => {
    const intervals = [
      watched('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z', { host: 'blog.example.com' }),
      watched('a', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { host: 'www.example.com' }),
    ]
    expect(states([source('a')], intervals).slice(0, 2)).toEqual(['complete', 'partial'])
  })
})

describe('which source counts (rules 3)', () => {
  const early = source('early', { source_type: 'https_intake', connected_at: at('2026-01-01T00:00:00Z') })
  const late = source('late', { connected_at: at('2026-02-01T00:00:00Z') })

  test('per day exactly one primary counts: better coverage first, then earlier connected', () => {
    const intervals = [
      watched('early', '2026-03-08T00:00:00Z', '2026-03-09T12:00:00Z'),
      watched('late', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z'),
    ]
    const { slices } = countDays([early, late], intervals, range, at('2026-03-10T00:00:00Z'))
    expect(slices.filter((slice) => slice.from < '2026-03-10')).toEqual([
      { from: '2026-03-08', to: '2026-03-08', source_ids: ['early'], hosts: null },
      { from: '2026-03-09', to: '2026-03-10', source_ids: ['late'], hosts: null },
    ])
  })

  test('a host declared by another source is counted from that source', () => {
    const intervals = [
      watched('early', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { quality: 'partial' }),
      watched('late', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { host: 'blog.example.com' }),
    ]
    const { slices } = countDays([early, late], intervals, { from: '2026-03-08', to: '2026-03-08' }, asOf)
    expect(slices).toEqual([
      { from: '2026-03-08', to: '2026-03-08', source_ids: ['early'], hosts: { except: ['blog.example.com'] } },
      { from: '2026-03-08', to: '2026-03-08', source_ids: ['late'], hosts: { only: ['blog.example.com'] } },
    ])
  })

  test('named servers complement each other and count together', () => {
    const servers = [source('a', { server: 'web1' }), source('b', { server: 'web2' })]
    const { slices } = countDays(servers, [watched('a', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')], range, asOf)
    expect(slices).toEqual([{ from: '2026-03-08', to: '2026-03-08', source_ids: ['a', 'b'], hosts: null }])
  })

  test('no slice ever covers a gap day', () => {
    const intervals = [watched('early', '2026-03-08T10:00:00Z', '2026-03-08T11:00:00Z')]
    const { slices } = countDays([early], intervals, range, asOf + dayStart('1970-01-02'))
    expect(slices.map((slice) => [slice.from, slice.to])).toEqual([['2026-03-08', '2026-03-08']])
  })
})
