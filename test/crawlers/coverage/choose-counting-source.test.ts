import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { SenderRow, SourceRow } from '#control/tables.ts'
import { countDays } from '#crawlers/coverage/choose-counting-source.ts'
import { reportedThrough } from '#crawlers/coverage/data-through.ts'
import { type CoverageRecord, type Interval, sourceGroups } from '#crawlers/coverage/source-groups.ts'
import { eachDay } from '#days/windows.ts'
import { testSource } from './sources.ts'

const at = (text: string) => Date.parse(text)
const asOf = at('2026-03-10T12:00:00Z')
const eighth = { from: '2026-03-08', to: '2026-03-08' }
const range = { from: '2026-03-08', to: '2026-03-10' }

function source(id: string, changes: Partial<SourceRow> = {}): SourceRow {
  return testSource({ id, data_through: at('2026-03-10T11:00:00Z'), ...changes })
}

function covered(sourceId: string, from: string, to: string, changes: Partial<Interval> = {}): Interval {
  return { source_id: sourceId, host: '*', from_at: at(from), to_at: at(to), quality: 'complete', ...changes }
}

type Known = Partial<Pick<CoverageRecord, 'senders' | 'expired' | 'zones'>>

function count(sources: SourceRow[], intervals: Interval[], days = range, now = asOf, known: Known = {}) {
  return countDays({ sources, intervals, senders: [], expired: [], zones: [], ...known }, days, now)
}

function states(sources: SourceRow[], intervals: Interval[], now = asOf, known: Known = {}) {
  const counted = count(sources, intervals, range, now, known)
  return eachDay(range).map((day) => counted.states.get(day))
}

describe('the state of a UTC day (rules 3)', () => {
  test('a day covered in full is complete, one covered in part is partial, one that nothing touches is a gap', () => {
    const intervals = [covered('a', '2026-03-09T06:00:00Z', '2026-03-10T11:00:00Z')]
    expect(states([source('a')], intervals)).toEqual(['gap', 'partial', 'complete'])
  })

  test('today is complete while data_through is under two hours old and the day is covered up to it', () => {
    const fresh = source('a', { data_through: asOf - 2 * HOUR_MS + MINUTE_MS })
    const intervals = [covered('a', '2026-03-08T00:00:00Z', '2026-03-10T10:01:00Z')]
    expect(states([fresh], intervals)).toEqual(['complete', 'complete', 'complete'])
  })

  test('today is partial when touched and data_through is two hours old or older, else a gap', () => {
    const touched = [covered('a', '2026-03-10T00:00:00Z', '2026-03-10T10:00:00Z')]
    expect(states([source('a', { data_through: asOf - 2 * HOUR_MS })], touched)).toEqual(['gap', 'gap', 'partial'])
    const untouched = [covered('a', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')]
    expect(states([source('a', { data_through: at('2026-03-09T00:00:00Z') })], untouched)).toEqual([
      'complete',
      'gap',
      'gap',
    ])
  })

  test('just after midnight a source that reported before it leaves today complete', () => {
    const now = at('2026-03-10T00:30:00Z')
    const intervals = [covered('a', '2026-03-08T00:00:00Z', '2026-03-09T23:40:00Z')]
    const fresh = source('a', { data_through: at('2026-03-09T23:40:00Z') })
    expect(states([fresh], intervals, now)).toEqual(['complete', 'partial', 'complete'])
  })

  test('just after midnight a fresh log of one host says nothing about another', () => {
    const now = at('2026-03-10T00:30:00Z')
    const intervals = [
      covered('a', '2026-03-08T00:00:00Z', '2026-03-08T01:00:00Z'),
      covered('a', '2026-03-08T00:00:00Z', '2026-03-09T23:40:00Z', { host: 'www.example.com' }),
    ]
    expect(states([source('a', { data_through: at('2026-03-09T23:40:00Z') })], intervals, now)[2]).toBe('partial')
  })

  test('partial evidence never makes a day complete', () => {
    const intervals = [covered('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z', { quality: 'partial' })]
    expect(states([source('a')], intervals).slice(0, 2)).toEqual(['partial', 'partial'])
  })

  test('data_through is never after as_of: it is the last covered instant before it', () => {
    const intervals = [
      covered('a', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
      covered('a', '2026-03-20T00:00:00Z', '2026-03-21T00:00:00Z'),
    ]
    const reported = source('a', { data_through: at('2026-03-21T00:00:00Z') })
    expect(reportedThrough(reported, intervals, asOf)).toBe(at('2026-03-02T00:00:00Z'))
    expect(reportedThrough(reported, intervals, at('2026-03-20T05:00:00Z'))).toBe(at('2026-03-20T05:00:00Z'))
    expect(reportedThrough(reported, intervals, at('2026-02-01T00:00:00Z'))).toBeNull()
    expect(states([reported], intervals)).toEqual(['gap', 'gap', 'gap'])
  })

  test('nothing after as_of counts as covered', () => {
    const now = at('2026-03-09T12:00:00Z')
    const intervals = [covered('a', '2026-03-08T00:00:00Z', '2026-03-12T00:00:00Z')]
    const counted = count([source('a', { data_through: at('2026-03-12T00:00:00Z') })], intervals, range, now)
    expect(counted.states.get('2026-03-10')).toBe('gap')
  })

  test('a site that declares servers is complete only when each covers the day', () => {
    const servers = [source('a', { name: 'web1' }), source('b', { name: 'web2' })]
    const one = [covered('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z')]
    expect(states(servers, one).slice(0, 2)).toEqual(['partial', 'partial'])
    const both = [...one, covered('b', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')]
    expect(states(servers, both).slice(0, 2)).toEqual(['complete', 'partial'])
  })

  test('a day is as bad as its worst expected host', () => {
    const intervals = [
      covered('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z', { host: 'blog.example.com' }),
      covered('a', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { host: 'www.example.com' }),
    ]
    expect(states([source('a')], intervals).slice(0, 2)).toEqual(['complete', 'partial'])
  })
})

describe('which source counts (rules 3)', () => {
  const early = source('early', { source_type: 'https_intake', connected_at: at('2026-01-01T00:00:00Z') })
  const late = source('late', { connected_at: at('2026-02-01T00:00:00Z') })

  test('per day exactly one primary counts: better coverage first, then earlier connected', () => {
    const intervals = [
      covered('early', '2026-03-08T00:00:00Z', '2026-03-09T12:00:00Z'),
      covered('late', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z'),
    ]
    const { slices } = count([early, late], intervals, range, at('2026-03-10T00:00:00Z'))
    expect(slices).toEqual([
      { days: [{ from: '2026-03-08', to: '2026-03-08' }], source_ids: ['early'], hosts: null },
      { days: [{ from: '2026-03-09', to: '2026-03-10' }], source_ids: ['late'], hosts: null },
    ])
  })

  test('a host declared by another source is counted from that source', () => {
    const intervals = [
      covered('early', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { quality: 'partial' }),
      covered('late', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { host: 'blog.example.com' }),
    ]
    const { slices } = count([early, late], intervals, { from: '2026-03-08', to: '2026-03-08' })
    expect(slices).toEqual([
      { days: [eighth], source_ids: ['early'], hosts: { except: ['blog.example.com'] } },
      { days: [eighth], source_ids: ['late'], hosts: { only: ['blog.example.com'] } },
    ])
  })

  test('named servers complement each other and count together', () => {
    const servers = [source('a', { name: 'web1' }), source('b', { name: 'web2' })]
    const { slices } = count(servers, [covered('a', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')])
    expect(slices).toEqual([{ days: [eighth], source_ids: ['a', 'b'], hosts: null }])
  })

  test('no source counts on a gap day', () => {
    const intervals = [covered('early', '2026-03-08T10:00:00Z', '2026-03-08T11:00:00Z')]
    const { slices } = count([early], intervals, range, asOf + DAY_MS)
    expect(slices.map((slice) => slice.days)).toEqual([[eighth]])
  })
})

describe('several senders of one intake source (rules 3, Intake)', () => {
  const intake = source('intake', { source_type: 'https_intake' })
  const from = (sender: string, start: string, end: string, changes: Partial<Interval> = {}) =>
    covered('intake', start, end, { sender, ...changes })
  const sender = (name: string, last_record: string, last_received = last_record): SenderRow => ({
    source_id: 'intake',
    name,
    last_record_at: at(last_record),
    last_received_at: at(last_received),
    retired_at: null,
  })
  const both = [sender('web1', '2026-03-10T11:00:00Z'), sender('web2', '2026-03-10T11:00:00Z')]

  test('time was covered in full only where each expected sender covered', () => {
    const intervals = [
      from('web1', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z'),
      from('web2', '2026-03-08T00:00:00Z', '2026-03-09T05:00:00Z'),
      from('web2', '2026-03-09T09:00:00Z', '2026-03-10T11:00:00Z'),
    ]
    expect(states([intake], intervals, asOf, { senders: both })).toEqual(['complete', 'partial', 'complete'])
  })

  test('a sender is expected from its first coverage on, not before', () => {
    const intervals = [
      from('web1', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z'),
      from('web2', '2026-03-09T09:00:00Z', '2026-03-10T11:00:00Z'),
    ]
    expect(states([intake], intervals, asOf, { senders: both })).toEqual(['complete', 'complete', 'complete'])
  })

  test('a sender is expected for seven days after its last delivery, and not longer', () => {
    const gone = [from('web1', '2026-02-20T00:00:00Z', '2026-03-10T11:00:00Z')]
    const known = (last: string) => {
      const senders = [sender('web1', '2026-03-10T11:00:00Z'), sender('web2', last)]
      return states([intake], [...gone, from('web2', '2026-02-20T00:00:00Z', last)], asOf, { senders })
    }
    expect(known('2026-03-02T00:00:00Z')).toEqual(['partial', 'complete', 'complete'])
    expect(known('2026-03-01T00:00:00Z')).toEqual(['complete', 'complete', 'complete'])
    expect(known('2026-03-05T00:00:00Z')).toEqual(['partial', 'partial', 'partial'])
  })

  test('a source has reported as far as its slowest expected sender', () => {
    const intervals = [
      from('web1', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z'),
      from('web2', '2026-03-08T00:00:00Z', '2026-03-10T10:30:00Z'),
    ]
    const through = (web2: string) =>
      reportedThrough(intake, intervals, asOf, [sender('web1', '2026-03-10T11:00:00Z'), sender('web2', web2)])
    expect(through('2026-03-10T10:30:00Z')).toBe(at('2026-03-10T10:30:00Z'))
    expect(through('2026-03-01T10:30:00Z')).toBe(at('2026-03-10T11:00:00Z'))
    const senders = [sender('web1', '2026-03-10T11:00:00Z'), sender('web2', '2026-03-10T10:30:00Z')]
    expect(states([intake], intervals, asOf, { senders })).toEqual(['complete', 'complete', 'complete'])
    expect(states([intake], intervals, at('2026-03-10T12:30:00Z'), { senders })[2]).toBe('partial')
  })

  test('a sender whose days retention has ended is expected as before, for the hosts that it covered', () => {
    const web1 = from('web1', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z')
    const expired = (host: string, end: string) => [
      { source_id: 'intake', sender: 'web2', host, from_at: at('2026-02-20T00:00:00Z'), to_at: at(end) },
    ]
    const known = (intervals: Interval[], ...gone: [host: string, end: string]) =>
      states([intake], intervals, asOf, { senders: both.slice(0, 1), expired: expired(...gone) })
    expect(known([web1], '*', '2026-03-02T00:00:00Z')).toEqual(['partial', 'complete', 'complete'])
    expect(known([web1], '*', '2026-03-01T00:00:00Z')).toEqual(['complete', 'complete', 'complete'])
    const back = from('web2', '2026-03-09T00:00:00Z', '2026-03-10T11:00:00Z')
    expect(known([web1, back], '*', '2026-02-21T00:00:00Z')).toEqual(['partial', 'complete', 'complete'])
    const blog = from('web1', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z', { host: 'blog.example.com' })
    expect(known([web1, blog], 'blog.example.com', '2026-03-02T00:00:00Z')).toEqual(['partial', 'complete', 'complete'])
    expect(known([web1], 'blog.example.com', '2026-03-02T00:00:00Z')).toEqual(['complete', 'complete', 'complete'])
  })

  test('a sender that declares a host is expected for that host only', () => {
    const intervals = [
      from('web1', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z'),
      from('blog', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', { host: 'blog.example.com' }),
    ]
    const senders = [sender('web1', '2026-03-10T11:00:00Z'), sender('blog', '2026-03-09T00:00:00Z')]
    expect(states([intake], intervals, asOf, { senders }).slice(0, 2)).toEqual(['complete', 'partial'])
    const alone = intervals.filter((interval) => interval.sender === 'web1')
    expect(states([intake], alone, asOf, { senders: senders.slice(0, 1) })).toEqual([
      'complete',
      'complete',
      'complete',
    ])
  })
})

describe('evidence that is less than whole coverage (rules 3)', () => {
  test.each<Partial<Interval>>([{ sampling: 0.1 }, { is_backfill: 1 }, { quality: 'partial', reason: 'capped' }])(
    '%o makes its days partial',
    (changes) => {
      const intervals = [covered('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z', changes)]
      expect(states([source('a')], intervals).slice(0, 2)).toEqual(['partial', 'partial'])
    },
  )

  test('a share of one is not a sample', () => {
    const intervals = [covered('a', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z', { sampling: 1 })]
    expect(states([source('a')], intervals).slice(0, 2)).toEqual(['complete', 'complete'])
  })
})

describe('a zone beside other sources (rules 3, Hosts)', () => {
  const zone = source('zone', { source_type: 'cloudflare_zone', connected_at: at('2026-02-01T00:00:00Z') })
  const logs = source('logs', { connected_at: at('2026-03-01T00:00:00Z') })
  const days = (from: string, to: string) => [`${from}T00:00:00Z`, `${to}T00:00:00Z`] as const

  test('its proxied hosts count from it, all others from the source of every host', () => {
    const intervals = [
      covered('zone', ...days('2026-03-08', '2026-03-09'), { host: 'www.example.com' }),
      covered('logs', ...days('2026-03-08', '2026-03-09')),
    ]
    expect(count([zone, logs], intervals, eighth).slices).toEqual([
      { days: [eighth], source_ids: ['logs'], hosts: { except: ['www.example.com'] } },
      { days: [eighth], source_ids: ['zone'], hosts: { only: ['www.example.com'] } },
    ])
  })

  test('a host that it does not proxy never counts from it, and is not expected because it is listed', () => {
    const zones = [{ source_id: 'zone', unproxied: ['mail.example.com'] }]
    const alone = [covered('zone', ...days('2026-03-08', '2026-03-10'))]
    expect(states([zone], alone, asOf, { zones }).slice(0, 2)).toEqual(['complete', 'complete'])
    const beside = [...alone, covered('logs', ...days('2026-03-08', '2026-03-09'))]
    expect(states([zone, logs], beside, asOf, { zones }).slice(0, 2)).toEqual(['complete', 'partial'])
    expect(count([zone, logs], beside, { from: '2026-03-08', to: '2026-03-09' }, asOf, { zones }).slices).toEqual([
      { days: [eighth], source_ids: ['zone'], hosts: { except: ['mail.example.com'] } },
      { days: [eighth], source_ids: ['logs'], hosts: { only: ['mail.example.com'] } },
      { days: [{ from: '2026-03-09', to: '2026-03-09' }], source_ids: ['zone'], hosts: null },
    ])
  })

  test('a name that it no longer lists is expected up to the last day on which it covered it', () => {
    const intervals = [
      covered('zone', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z', { host: 'www.example.com' }),
      covered('zone', ...days('2026-03-08', '2026-03-09'), { host: 'old.example.com' }),
    ]
    const listed = (unproxied: string[]) => ({ zones: [{ source_id: 'zone', unproxied }] })
    expect(states([zone], intervals, asOf, listed([]))).toEqual(['complete', 'complete', 'complete'])
    const unproxied = listed(['old.example.com'])
    expect(states([zone], intervals, asOf, unproxied)).toEqual(['complete', 'partial', 'partial'])
    const late = [...intervals, covered('zone', ...days('2026-03-06', '2026-03-07'), { host: 'www.example.com' })]
    const since = { from: '2026-03-06', to: '2026-03-08' }
    expect([...count([zone], late, since, asOf, listed([])).states.values()]).toEqual(['partial', 'gap', 'complete'])
  })

  test('its wildcard covers hosts that are not named, and no others', () => {
    const intervals = [
      covered('zone', ...days('2026-03-08', '2026-03-09'), { host: '*.example.com' }),
      covered('logs', ...days('2026-03-08', '2026-03-09')),
    ]
    const hosts = ['*.example.com']
    const named = ['*']
    expect(count([zone, logs], intervals, eighth).slices).toEqual([
      { days: [eighth], source_ids: ['logs'], hosts: { except: hosts, named } },
      { days: [eighth], source_ids: ['zone'], hosts: { only: hosts, named } },
    ])
    const known = {
      sources: [zone],
      intervals,
      senders: [],
      expired: [],
      zones: [{ source_id: 'zone', unproxied: ['api.example.com'] }],
    }
    const [group] = sourceGroups(known, eighth, asOf)
    const ranks = ['foo.example.com', 'a.b.example.com', 'example.com', 'api.example.com', '*.example.com', '*']
    expect(ranks.map((host) => group?.ranks(host)[0])).toEqual([2, 2, 0, 0, 2, 0])
  })

  test('a source in error, revoked or disconnected keeps the days that it covered', () => {
    for (const connection_status of ['error', 'revoked', 'disconnected'] as const) {
      const intervals = [covered('a', ...days('2026-03-08', '2026-03-09'))]
      expect(states([source('a', { connection_status })], intervals)).toEqual(['complete', 'gap', 'gap'])
    }
  })

  test('a named server that was disconnected is no longer expected', () => {
    const servers = (connection_status: SourceRow['connection_status']) => [
      source('a', { name: 'web1' }),
      source('b', { name: 'web2', connection_status, data_through: at('2026-03-09T00:00:00Z') }),
    ]
    const intervals = [
      covered('a', '2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z'),
      covered('b', ...days('2026-03-08', '2026-03-09')),
    ]
    expect(states(servers('live'), intervals)).toEqual(['complete', 'partial', 'partial'])
    expect(states(servers('disconnected'), intervals)).toEqual(['complete', 'complete', 'complete'])
  })
})
