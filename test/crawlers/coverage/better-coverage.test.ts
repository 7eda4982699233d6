/** Which of several sources counts a day, and which uploads are primary no more (rules 3, Primary and Uploads). */
import { describe, expect, test } from 'vitest'
import type { OpenDayWinnerRow, SourceRow } from '#control/tables.ts'
import { countDays, countOpenDay } from '#crawlers/coverage/choose-counting-source.ts'
import { endedUploads } from '#crawlers/coverage/ended-uploads.ts'
import type { CoverageRecord, Interval } from '#crawlers/coverage/source-groups.ts'
import { testSource } from './sources.ts'

const at = (text: string) => Date.parse(`2026-03-${text}Z`)
const noon = at('10T12:00:00')
const DAY = { from: '2026-03-08', to: '2026-03-08' }

const source = (id: string, changes: Partial<SourceRow> = {}) =>
  testSource({ id, source_type: 'https_intake', data_through: at('10T11:59:00'), ...changes })
const upload = (id: string, through: string, changes: Partial<SourceRow> = {}) =>
  source(id, { source_type: 'log_upload', data_through: at(through), ...changes })
const covered = (source_id: string, from: string, to: string, changes: Partial<Interval> = {}): Interval => ({
  source_id,
  host: '*',
  from_at: at(from),
  to_at: at(to),
  quality: 'complete',
  ...changes,
})
const record = (sources: SourceRow[], intervals: Interval[], more: Partial<CoverageRecord> = {}): CoverageRecord => ({
  sources,
  intervals,
  senders: [],
  expired: [],
  zones: [],
  ...more,
})
const counting = (known: CoverageRecord) => countDays(known, DAY, noon).slices.map((slice) => slice.source_ids)

const first = source('first', { connected_at: 1 })
const second = source('second', { connected_at: 2 })
const morning = (id: string, changes: Partial<Interval> = {}) => covered(id, '08T00:00:00', '08T06:00:00', changes)

describe('of two partial sources', () => {
  test('the one that was connected earlier counts while neither is better', () => {
    const lead = covered('second', '08T00:00:00', '08T06:59:00')
    expect(counting(record([first, second], [morning('first'), lead]))).toEqual([['first']])
  })

  test('the one that covers 60 minutes more counts', () => {
    const lead = covered('second', '08T10:00:00', '08T17:00:00')
    expect(counting(record([first, second], [morning('first'), lead]))).toEqual([['second']])
  })

  test('an unsampled one counts before a sampled one, whatever they cover', () => {
    const sampled = covered('first', '08T00:00:00', '08T20:00:00', { sampling: 0.1 })
    expect(counting(record([first, second], [sampled, morning('second')]))).toEqual([['second']])
  })

  test('one with observed minutes counts before one whose minutes are only declared', () => {
    const declared = covered('first', '08T00:00:00', '09T00:00:00', { quality: 'partial', is_declared: 1 })
    expect(counting(record([first, second], [declared, morning('second')]))).toEqual([['second']])
    const shown = covered('first', '08T05:00:00', '08T06:00:00', { quality: 'partial' })
    expect(counting(record([first, second], [declared, shown, morning('second')]))).toEqual([['first']])
  })

  test('a complete one counts before both', () => {
    const whole = covered('third', '08T00:00:00', '09T00:00:00', { is_declared: 1 })
    const third = source('third', { connected_at: 3 })
    expect(counting(record([first, second, third], [morning('first'), morning('second'), whole]))).toEqual([['third']])
  })
})

describe('on the open day', () => {
  const open = (intervals: Interval[], holder: string | null, now = noon) => {
    const winners: Omit<OpenDayWinnerRow, 'site_id'>[] =
      holder === null ? [] : [{ host: '*', day: '2026-03-10', source_id: holder }]
    return countOpenDay(record([first, second], intervals, { winners }), now).map(({ source_id }) => source_id)
  }
  // Both missed the first hour, so that both are partial.
  const until = (id: string, to: string) => covered(id, '10T01:00:00', to)

  test('the source is kept until another covers 60 minutes more', () => {
    const near = [until('first', '10T11:30:00'), until('second', '10T11:59:00')]
    expect(open(near, null)).toEqual(['first'])
    expect(open(near, 'second')).toEqual(['second'])
    const far = [until('first', '10T11:59:00'), until('second', '10T10:59:00')]
    expect(open(far, 'second')).toEqual(['first'])
  })

  test('it is final when the day closes: of two equal ones, the one that was connected earlier counts', () => {
    const near = [until('first', '10T11:30:00'), until('second', '10T11:59:00')]
    const winners = [{ host: '*', day: '2026-03-10', source_id: 'second' }]
    const day = { from: '2026-03-10', to: '2026-03-10' }
    const known = record([first, second], near, { winners })
    expect(countDays(known, day, noon).slices.map((slice) => slice.source_ids)).toEqual([['second']])
    expect(countDays(known, day, at('11T12:00:00')).slices.map((slice) => slice.source_ids)).toEqual([['first']])
  })
})

describe('just after midnight', () => {
  const now = at('10T00:30:00')
  const old = upload('old', '10T00:00:00', { connected_at: 0 })
  const yesterday = covered('old', '09T00:00:00', '10T00:00:00')
  const live = source('first', { connected_at: 1, data_through: at('10T00:20:00') })
  const began = (from: string) => covered('first', from, '10T00:20:00')
  const winners = [{ host: '*', day: '2026-03-10', source_id: 'old' }]
  const today = { from: '2026-03-10', to: '2026-03-10' }
  const judged = (known: CoverageRecord) => {
    const { states, slices } = countDays(known, today, now)
    return [states.get(today.from), slices.map((slice) => slice.source_ids)]
  }

  test('an ended upload does not count a day that it has not reached, even if it counted so far', () => {
    const known = record([old, live], [yesterday, began('10T00:10:00')], { winners })
    expect(judged(known)).toEqual(['partial', [['first']]])
    expect(countOpenDay(known, now).map(({ source_id }) => source_id)).toEqual(['first'])
    expect(judged(record([old, live], [yesterday, began('10T00:00:00')], { winners }))).toEqual([
      'complete',
      [['first']],
    ])
  })

  test('an upload without a later source says that the day is complete so far', () => {
    expect(judged(record([old], [yesterday]))).toEqual(['complete', [['old']]])
  })

  test('an upload that reaches into the day keeps it', () => {
    const reaching = upload('old', '10T00:15:00', { connected_at: 0 })
    const until = covered('old', '09T00:00:00', '10T00:15:00')
    expect(judged(record([reaching, live], [until, began('10T00:16:00')], { winners }))).toEqual([
      'complete',
      [['old']],
    ])
  })
})

describe('an upload for whose hosts another primary has later evidence', () => {
  const old = upload('old', '02T00:00:00')
  const january = covered('old', '01T00:00:00', '02T00:00:00')
  const live = (host = '*') => covered('first', '05T00:00:00', '10T12:00:00', { host })
  const ended = (known: CoverageRecord) => [...endedUploads(known, noon)]

  test('is no longer primary', () => {
    expect(ended(record([old, first], [january, live()]))).toEqual(['old'])
  })

  test('stays primary while the other covers only some of its hosts, was disconnected, or has older evidence', () => {
    expect(ended(record([old, first], [january, live('blog.example.com')]))).toEqual([])
    const gone = { ...first, connection_status: 'disconnected' as const }
    expect(ended(record([old, gone], [january, live()]))).toEqual([])
    const before = upload('old', '10T12:00:00')
    expect(ended(record([before, first], [covered('old', '01T00:00:00', '10T12:00:00'), live()]))).toEqual([])
  })

  test('a zone covers all hosts if none of its names bypasses it', () => {
    const zone = source('first', { source_type: 'cloudflare_zone' })
    const known = (unproxied: string[]) =>
      record([old, zone], [january, live('www.example.com')], { zones: [{ source_id: 'first', unproxied }] })
    expect(ended(known([]))).toEqual(['old'])
    expect(ended(known(['mail.example.com']))).toEqual([])
  })

  test('a named server is ended by live sources, never by another upload', () => {
    const web1 = upload('web1', '02T00:00:00', { name: 'web1' })
    const web2 = upload('web2', '10T00:00:00', { name: 'web2' })
    const own = covered('web1', '01T00:00:00', '02T00:00:00')
    const other = covered('web2', '01T00:00:00', '10T00:00:00')
    expect(ended(record([web1, web2], [own, other]))).toEqual([])
    expect(ended(record([web1, web2, first], [own, other, live()]))).toEqual(['web1', 'web2'])
  })

  test('creates no expectation of its hosts on later days, and counts the days that it covered', () => {
    const zone = source('first', { source_type: 'cloudflare_zone' })
    const zones = [{ source_id: 'first', unproxied: [] }]
    const intervals = [
      covered('old', '07T00:00:00', '09T00:00:00'),
      covered('first', '09T00:00:00', '10T12:00:00', { host: 'www.example.com' }),
    ]
    const known = record([upload('old', '09T00:00:00'), zone], intervals, { zones })
    const days = { from: '2026-03-08', to: '2026-03-10' }
    const { states, slices } = countDays(known, days, noon)
    expect([...states.values()]).toEqual(['complete', 'complete', 'complete'])
    expect(slices[0]).toMatchObject({ source_ids: ['old'], days: [{ from: '2026-03-08', to: '2026-03-08' }] })
  })
})

describe('an unnamed upload beside a named one', () => {
  const web1 = upload('web1', '10T11:59:00', { name: 'web1' })
  const unnamed = upload('unnamed', '08T12:00:00')
  const days = { from: '2026-03-07', to: '2026-03-10' }
  const always = covered('web1', '01T00:00:00', '10T12:00:00')
  const states = (known: CoverageRecord) => [...countDays(known, days, noon).states.values()]

  test('is a separate server, expected only from its first to its last covered day', () => {
    const some = covered('unnamed', '08T06:00:00', '08T12:00:00')
    const known = record([web1, unnamed], [always, some])
    expect(states(known)).toEqual(['complete', 'partial', 'complete', 'complete'])
    expect(counting(known)).toEqual([['unnamed', 'web1']])
  })

  test('is judged alone after it is disconnected, and the day counts from one of the two', () => {
    const some = covered('unnamed', '08T06:00:00', '08T12:00:00')
    const known = record([web1, { ...unnamed, connection_status: 'disconnected' }], [always, some])
    expect(states(known)).toEqual(['complete', 'complete', 'complete', 'complete'])
    expect(counting(known)).toEqual([['web1']])
  })

  test('covered for the named server once it was moved to it', () => {
    const early = covered('unnamed', '01T00:00:00', '09T00:00:00')
    const late = covered('web1', '09T00:00:00', '10T12:00:00')
    const apart = record([web1, unnamed], [early, late])
    expect(states(apart)).toEqual(['partial', 'partial', 'complete', 'complete'])
    const moved = { ...unnamed, moved_to: 'web1', connection_status: 'disconnected' as const }
    const known = record([web1, moved], [early, late])
    expect(states(known)).toEqual(['complete', 'complete', 'complete', 'complete'])
    expect(counting(known)).toEqual([['unnamed', 'web1']])
  })
})
