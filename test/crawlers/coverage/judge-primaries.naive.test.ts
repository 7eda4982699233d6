/**
 * The counting selection against a judge that walks through every half hour of every host (rules 3,
 * docs/decisions/0016).
 */
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { SenderRow, SourceRow } from '#control/tables.ts'
import { type CountedDays, countDays } from '#crawlers/coverage/choose-counting-source.ts'
import type { CoverageRecord, Interval } from '#crawlers/coverage/source-groups.ts'
import { dayStart } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import { testSource } from './sources.ts'

const ROUNDS = 1_500
const STEP_MS = HOUR_MS / 2
const asOf = Date.parse('2026-03-10T12:00:00Z')
const days = eachDay({ from: '2026-03-05', to: '2026-03-10' })
const WILDCARD = '*.example.com'
const HOSTS = ['a.example.com', 'b.example.com', 'c.example.com', 'w.example.com']

type Seen = Interval & { sender: string }
type World = Omit<CoverageRecord, 'intervals' | 'sources'> & { sources: SourceRow[]; intervals: Seen[] }

/** The same numbers in every run (mulberry32). */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    chance: (share: number) => next() < share,
    below,
    pick: <T>(all: readonly T[]) => all[below(all.length)] as T,
  }
}
type Dice = ReturnType<typeof dice>

const KINDS = ['server', 'server', 'intake', 'zone', 'upload'] as const
const TYPES = { server: 'log_upload', intake: 'https_intake', zone: 'cloudflare_zone', upload: 'log_upload' } as const

function makeWorld(roll: Dice): World {
  const world = { sources: [] as SourceRow[], intervals: [] as Seen[], senders: [] as SenderRow[] }
  const zones: { source_id: string; unproxied: string[] }[] = []
  for (const [at, kind] of KINDS.filter(() => roll.chance(0.5)).entries()) {
    const id = `s${at}`
    const names = kind === 'intake' ? ['x', 'y'].slice(0, 1 + roll.below(2)) : ['']
    const seen = names.flatMap((sender) => makeIntervals(roll, id, kind === 'zone', sender))
    world.intervals.push(...seen)
    world.sources.push(
      testSource({
        id,
        source_type: TYPES[kind],
        name: kind === 'server' ? `web${at}` : '',
        connected_at: roll.below(3),
        connection_status: roll.chance(0.15) ? 'disconnected' : 'live',
        data_through: seen.length === 0 ? null : lastOf(seen),
      }),
    )
    if (kind === 'zone') zones.push({ source_id: id, unproxied: roll.chance(0.4) ? ['b.example.com'] : [] })
    for (const [name, own] of kind === 'intake' ? Map.groupBy(seen, (row) => row.sender) : []) {
      const late = roll.chance(0.2) ? 2 * DAY_MS : 0
      const last = lastOf(own)
      const retired_at = roll.chance(0.1) ? asOf : null
      world.senders.push({ source_id: id, name, last_record_at: last, last_received_at: last + late, retired_at })
    }
  }
  return { ...world, expired: [], zones }
}

function makeIntervals(roll: Dice, source_id: string, isZone: boolean, sender: string): Seen[] {
  return Array.from({ length: roll.below(4) }, () => {
    const hour = dayStart('2026-02-25') + roll.below(13 * 24) * HOUR_MS
    const from_at = roll.chance(0.6) ? Math.floor(hour / DAY_MS) * DAY_MS : hour
    const length = roll.chance(0.6) ? (1 + roll.below(9)) * DAY_MS : (1 + roll.below(60)) * HOUR_MS
    const to_at = Math.min(from_at + length, asOf - (roll.chance(0.3) ? 3 : 1) * HOUR_MS)
    const host = roll.pick(isZone ? ['a.example.com', WILDCARD, '*'] : ['*', '*', 'a.example.com', 'b.example.com'])
    const quality = roll.chance(0.85) ? ('complete' as const) : ('partial' as const)
    return { source_id, host, from_at, to_at, quality, sender }
  })
}

const lastOf = (rows: readonly { to_at: number }[]) => Math.max(...rows.map((row) => row.to_at))

/**
 * What of `rows`, of one source, belongs to a host: its name, the wildcard unless it is named, all unless it is
 * unproxied.
 */
function rowsFor(world: World, source_id: string, rows: readonly Seen[], host: string): Seen[] {
  const isPast = world.zones.some((zone) => zone.source_id === source_id && zone.unproxied.includes(host))
  const isNamed = rows.some((row) => row.host === host)
  return rows.filter((row) => {
    if (row.host === host) return true
    if (isPast || host === '*') return false
    return row.host === '*' || (row.host === WILDCARD && !isNamed)
  })
}

interface NaiveGroup {
  source_ids: string[]
  lead: SourceRow
  /** 2 complete, 1 partial, 0 a gap. */
  rank(host: string, day: string): number
  /** How many steps of the day it covered, whole or not. */
  steps(host: string, day: string): number
}

function naiveGroups(world: World): NaiveGroup[] {
  const hasNamed = world.sources.some((source) => source.name !== '')
  const isServer = (source: SourceRow) =>
    source.name !== '' ||
    (hasNamed && source.source_type === 'log_upload' && source.connection_status !== 'disconnected')
  const groups = Map.groupBy(world.sources, (source) => (isServer(source) ? 'servers' : source.id))
  return [...groups.values()].map((members) => naiveGroup(world, members)).sort((a, b) => inOrder(a.lead, b.lead))
}

const inOrder = (a: SourceRow, b: SourceRow) =>
  Number(a.connected_at) - Number(b.connected_at) || (a.id < b.id ? -1 : 1)

function naiveGroup(world: World, members: SourceRow[]): NaiveGroup {
  const isServers = members.length > 1
  const observers = members.flatMap((source) => {
    const own = Map.groupBy(
      world.intervals.filter((row) => row.source_id === source.id),
      (row) => row.sender,
    )
    if (own.size === 0 && isServers) own.set('', [])
    return [...own].map(([name, rows]) => ({ source, rows, ...expectation(world, source, name, rows) }))
  })
  const through = throughOf(world, members)
  const rank = (host: string, day: string) => {
    const looking = observers
      .map((observer) => ({ ...observer, rows: rowsFor(world, observer.source.id, observer.rows, host) }))
      .filter((observer) => isServers || observer.rows.length > 0)
    const isWhole = (at: number) => {
      const saw = looking.map(({ rows }) =>
        rows.some((row) => row.quality === 'complete' && row.from_at <= at && at < row.to_at),
      )
      return saw.includes(true) && looking.every(({ from, to }, place) => saw[place] || at < from || at >= to)
    }
    const covers = (from: number, to: number) => {
      for (let at = from; at < to; at += STEP_MS) if (!isWhole(at)) return false
      return true
    }
    const [begin, end] = [dayStart(day), dayStart(day) + DAY_MS]
    const touched = looking.some(({ rows }) => rows.some((row) => row.to_at > begin && row.from_at < end)) ? 1 : 0
    if (end <= asOf) return covers(begin, end) ? 2 : touched
    const isFresh = through !== null && asOf - through < 2 * HOUR_MS
    return isFresh && (through > begin ? covers(begin, through) : isWhole(through - 1)) ? 2 : touched
  }
  const steps = (host: string, day: string) => {
    const rows = observers.flatMap((observer) => rowsFor(world, observer.source.id, observer.rows, host))
    const end = Math.min(dayStart(day) + DAY_MS, asOf)
    let count = 0
    for (let at = dayStart(day); at < end; at += STEP_MS) {
      if (rows.some((row) => row.from_at <= at && at < row.to_at)) count++
    }
    return count
  }
  return {
    source_ids: members.map(({ id }) => id).sort(),
    lead: members.toSorted(inOrder)[0] as SourceRow,
    rank,
    steps,
  }
}

function expectation({ senders }: World, source: SourceRow, name: string, rows: readonly Seen[]) {
  const last = lastOf(rows)
  const first = Math.min(...rows.map((row) => row.from_at))
  if (source.source_type === 'log_upload' && source.name === '') {
    return { from: Math.floor(first / DAY_MS) * DAY_MS, to: Math.ceil(last / DAY_MS) * DAY_MS }
  }
  if (source.source_type !== 'https_intake') {
    return { from: -Infinity, to: source.connection_status === 'disconnected' ? last : Infinity }
  }
  const sender = senders.find((row) => row.source_id === source.id && row.name === name) as SenderRow
  if (sender.retired_at !== null) return { from: first, to: last }
  return { from: first, to: Math.max(last, sender.last_received_at) + 7 * DAY_MS }
}

function throughOf({ senders, intervals }: World, members: readonly SourceRow[]): number | null {
  const isOver = ({ id, source_type, name: server }: SourceRow) =>
    source_type === 'log_upload' &&
    server === '' &&
    !intervals.some((row) => row.source_id === id && row.to_at > Math.floor(asOf / DAY_MS) * DAY_MS)
  const awaited = members.filter(
    (row) => members.length === 1 || (row.connection_status !== 'disconnected' && !isOver(row)),
  )
  const instants = awaited.map(({ id, data_through }) => {
    const waited = senders.filter(
      (row) => row.source_id === id && asOf - row.last_received_at < 7 * DAY_MS && row.retired_at === null,
    )
    if (data_through === null || waited.length === 0) return data_through
    return Math.min(data_through, ...waited.map((row) => row.last_record_at))
  })
  return instants.length === 0 || instants.includes(null) ? null : Math.min(...(instants as number[]))
}

function best(groups: readonly NaiveGroup[], host: string, day: string) {
  let found: { rank: number; group: NaiveGroup | null } = { rank: 0, group: null }
  for (const group of groups) {
    const rank = group.rank(host, day)
    const isEqual = rank === 1 && found.rank === 1
    const lead = isEqual ? group.steps(host, day) - (found.group as NaiveGroup).steps(host, day) : 0
    if (rank > found.rank || lead * STEP_MS >= HOUR_MS) found = { rank, group }
  }
  return found
}

/** An upload all of whose hosts another source covered later; no upload does that to a named server. */
function isEnded(world: World, upload: SourceRow): boolean {
  const throughOfSource = (source: SourceRow) => throughOf(world, [source]) ?? -Infinity
  const own = world.intervals.filter((row) => row.source_id === upload.id)
  if (upload.source_type !== 'log_upload' || upload.data_through === null) return false
  const through = throughOfSource(upload)
  const later = world.sources.filter(
    (other) =>
      other.id !== upload.id &&
      other.connection_status !== 'disconnected' &&
      (other.source_type !== 'log_upload' || upload.name === '') &&
      throughOfSource(other) > through,
  )
  return [...new Set(own.map((row) => row.host))].every((host) =>
    later.some((other) => {
      const rows = world.intervals.filter((row) => row.source_id === other.id && row.to_at > through)
      const zone = world.zones.find((row) => row.source_id === other.id)
      if (host === '*' && zone !== undefined && zone.unproxied.length === 0) return rows.length > 0
      const isPast = zone?.unproxied.includes(host) === true
      return rows.some((row) => {
        if (row.host === host) return true
        return (
          !isPast && (row.host === '*' || (row.host === WILDCARD && host.endsWith('.example.com') && host !== WILDCARD))
        )
      })
    }),
  )
}

/** A name of a zone that covered others later, and that does not go past the provider since. */
function isDropped(world: World, { source_id, host }: Seen): boolean {
  const zone = world.zones.find((row) => row.source_id === source_id)
  if (zone === undefined || zone.unproxied.includes(host)) return false
  const own = world.intervals.filter((row) => row.source_id === source_id)
  return lastOf(own.filter((row) => row.host === host)) < lastOf(own)
}

/** Hosts that coverage was declared for, and a zone's unproxied ones that another source ever covered. */
function expectedHosts(world: World, day: string): string[] {
  const ended = new Set(world.sources.filter((source) => isEnded(world, source)).map(({ id }) => id))
  const ofSource = ({ id }: SourceRow) => world.intervals.filter((row) => row.source_id === id)
  const elsewhere = world.zones
    .flatMap((zone) => zone.unproxied)
    .filter((host) => world.sources.some((source) => rowsFor(world, source.id, ofSource(source), host).length > 0))
  const isOver = (row: Seen) => ended.has(row.source_id) || isDropped(world, row)
  const expected = world.intervals.filter((row) => !isOver(row) || row.to_at > dayStart(day))
  const named = new Set(world.intervals.map((row) => row.host))
  return [...new Set([...expected.map((row) => row.host), ...elsewhere.filter((host) => !named.has(host))])]
}

/** The sources of every slice that counts a host on a day. */
function countedBy({ slices }: CountedDays, host: string, day: string): string[][] {
  const among = (names: readonly string[], named: readonly string[] = []) =>
    names.includes(host) || (names.includes(WILDCARD) && !named.includes(host))
  return slices
    .filter((slice) => slice.days.some(({ from, to }) => from <= day && day <= to))
    .filter(({ hosts }) => {
      if (hosts === null) return true
      return 'only' in hosts ? among(hosts.only, hosts.named) : !among(hosts.except, hosts.named)
    })
    .map((slice) => slice.source_ids)
}

test('the states of days, and the one source of each host and day, equal those of a naive implementation', () => {
  const roll = dice(7)
  for (let round = 0; round < ROUNDS; round++) {
    const world = makeWorld(roll)
    const counted = countDays(world, { from: days[0] as string, to: days.at(-1) as string }, asOf)
    const groups = naiveGroups(world)
    for (const day of days) {
      const hosts = expectedHosts(world, day)
      const ranks = hosts.map((host) => best(groups, host, day).rank)
      const state = Math.max(0, ...ranks) === 0 ? 'gap' : Math.min(...ranks) === 2 ? 'complete' : 'partial'
      expect(counted.states.get(day), JSON.stringify({ round, day, world })).toBe(state)
      for (const host of HOSTS) {
        const { group } = best(groups, host, day)
        const found = countedBy(counted, host, day)
        expect(found.length, JSON.stringify({ round, day, host, world })).toBeLessThanOrEqual(1)
        if (group !== null) expect(found, JSON.stringify({ round, day, host, world })).toEqual([group.source_ids])
      }
    }
  }
})
