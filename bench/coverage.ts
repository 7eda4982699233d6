/**
 * How long it takes to judge a year of days: 1,000 hosts, 10,000 intervals of three sources, one of them with three
 * senders. Processor time as well as elapsed time, because only the latter grows on a busy machine. Run: npm run bench
 * -- coverage
 */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import { countDays } from '#crawlers/coverage/choose-counting-source.ts'
import type { CoverageRecord, Interval } from '#crawlers/coverage/source-groups.ts'
import { utcDay } from '#days/utc-day.ts'
import { percentile, row } from './parts/figures.ts'

const RUNS = 40
const DAYS = 365
const HOSTS = 1_000
const INTERVALS = 10_000
const SOURCES = ['cloudflare_zone', 'https_intake', 'log_upload'] as const

const as_of = Date.parse('2026-03-10T12:00:00Z')
const first = as_of - (DAYS - 1) * DAY_MS

console.log(row('', 'slices', 'cpu p50 ms', 'cpu p99 ms', 'clock p50 ms'))
measure('every host covered alike', alike())
measure('every host covered in its own way', apart())

function measure(name: string, intervals: Interval[]): void {
  const record: CoverageRecord = { sources: SOURCES.map(source), intervals, senders: senders(), expired: [], zones: [] }
  const cpu: number[] = []
  const clock: number[] = []
  let slices = 0
  for (let run = 0; run < RUNS; run++) {
    const used = process.cpuUsage()
    const started = performance.now()
    slices = countDays(record, { from: utcDay(first), to: utcDay(as_of) }, as_of).slices.length
    clock.push(performance.now() - started)
    cpu.push(process.cpuUsage(used).user / 1_000)
  }
  const figures = [percentile(cpu, 50), percentile(cpu, 99), percentile(clock, 50)]
  console.log(row(name, slices, ...figures.map((ms) => ms.toFixed(1))))
}

/** A zone that was read without a break except for one hour, recorded once for each host and tenth of the year. */
function alike(): Interval[] {
  return Array.from({ length: INTERVALS }, (_, at) => {
    const from = first + Math.floor(at / HOSTS) * 36 * DAY_MS
    return interval('cloudflare_zone', `h${at % HOSTS}.example.com`, from, 36 * DAY_MS - HOUR_MS)
  })
}

function apart(): Interval[] {
  const random = sequence()
  return Array.from({ length: INTERVALS }, (_, at) => {
    const host = random() < 0.02 ? '*' : `h${at % HOSTS}.example.com`
    const from = first + Math.floor(random() * 360) * DAY_MS
    const length = Math.ceil(random() * 960) * HOUR_MS
    const covered = interval(SOURCES[Math.floor(random() * 3)] as SourceRow['source_type'], host, from, length)
    return { ...covered, quality: random() < 0.9 ? 'complete' : 'partial', sender: senderOf(covered.source_id, at) }
  })
}

function interval(source_id: string, host: string, from_at: number, length_ms: number): Interval {
  return { source_id, host, from_at, to_at: Math.min(from_at + length_ms, as_of), quality: 'complete' }
}

function source(source_type: SourceRow['source_type'], at: number) {
  const through = { connected_at: first + at, data_through: as_of - HOUR_MS }
  return { id: source_type, source_type, name: '', connection_status: 'live' as const, moved_to: null, ...through }
}

function senderOf(source_id: string, at: number): string {
  return source_id === 'https_intake' ? `web${at % 3}` : ''
}

function senders() {
  const seen = { last_record_at: as_of - HOUR_MS, last_received_at: as_of - HOUR_MS, retired_at: null }
  return [0, 1, 2].map((at) => ({ source_id: 'https_intake', name: `web${at}`, ...seen }))
}

/** The same numbers in [0, 1) in every run. */
function sequence(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}
