/** The options of an import (decisions 3.4), and their encoding for a running server. */
import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { quoted } from '#foreign-text.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { checkServerName } from '#sources/server-name.ts'
import { localZone } from '../log/time.ts'

export interface LogNotes {
  /** The host of lines that name none; the log then covers only that host. Null: the root domain, and all hosts. */
  host: string | null
  /** The name of the file, stored with its receipt. */
  label: string
  /** The path of the file, for refusals, which are not stored; left out: `label`. */
  path?: string
  /** The server of the site that wrote the log; left out: the unnamed one. */
  server?: string
  /** The time zone of times without one; left out: UTC. */
  timezone?: string
  /** True: the log is not complete, so that its coverage is partial. */
  partial?: boolean
  /** Days that the log covers completely, according to the owner. */
  covers?: DayRange
}

export interface LogImportInput extends LogNotes {
  /** Domain or id. */
  site: string
}

/** An import as the query of a request. */
export function importQuery(input: LogImportInput): URLSearchParams {
  const query = new URLSearchParams({ site: input.site, label: input.label })
  if (input.path !== undefined) query.set('path', input.path)
  if (input.host !== null) query.set('host', input.host)
  if (input.server !== undefined) query.set('server', input.server)
  if (input.timezone !== undefined) query.set('timezone', input.timezone)
  if (input.partial) query.set('partial', '1')
  if (input.covers !== undefined) query.set('covers', `${input.covers.from}/${input.covers.to}`)
  return query
}

/** The reverse of importQuery. */
export function importRequest(query: Record<string, string>): LogImportInput {
  const { site, host, label, path, server, timezone, partial, covers } = query
  if (site === undefined || label === undefined) {
    throw new Refusal('invalid_input', 'an import names a site and a label')
  }
  return {
    site,
    label,
    host: host ?? null,
    ...(path === undefined ? {} : { path }),
    ...(server === undefined ? {} : { server }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(partial === undefined ? {} : { partial: true }),
    ...(covers === undefined ? {} : { covers: coversRange(covers) }),
  }
}

/** `FROM/TO`, two inclusive UTC days. */
export function coversRange(text: string): DayRange {
  const [from = '', to = '', ...more] = text.split('/')
  const refuse = (why: string) =>
    new Refusal('invalid_input', `--covers ${quoted(text)} ${why}: give FROM/TO, for example 2026-03-01/2026-03-31`)
  if (more.length > 0 || !DAY.test(from) || !DAY.test(to)) throw refuse('is not a range of days')
  const missing = [from, to].find((day) => !isDay(day))
  if (missing !== undefined) throw refuse(`names a day that does not exist (${missing})`)
  if (from > to) throw refuse('ends before it begins')
  const days = (dayStart(to) - dayStart(from)) / DAY_MS + 1
  if (days > MAX_COVERED_DAYS) {
    throw new Refusal(
      'invalid_input',
      `--covers ${text} spans ${formatCount(days)} days; at most ${formatCount(MAX_COVERED_DAYS)} are allowed: give the days that this log covers`,
    )
  }
  return { from, to }
}

/** About ten years; each declared day is noted on its own. */
const MAX_COVERED_DAYS = 3_650

/** Refuses invalid options: a server's name, an unknown time zone, days that have not ended. */
export function checkNotes(notes: LogNotes, now: number): void {
  const { server, timezone, covers } = notes
  refuseCoveredPart(notes)
  if (server !== undefined) checkServerName(server, '--server')
  if (timezone !== undefined) localZone(timezone)
  if (covers !== undefined && dayStart(covers.to) + DAY_MS > now) {
    throw new Refusal(
      'invalid_input',
      `--covers ends with ${covers.to}, which is not over by the service clock (${utcDay(now)}): give days up to ${utcDay(now - DAY_MS)}, or correct the clock of the machine`,
    )
  }
}

/** @throws Refusal invalid_input. */
export function refuseCoveredPart({ partial, covers }: Pick<LogNotes, 'partial' | 'covers'>): void {
  if (partial !== true || covers === undefined) return
  throw new Refusal(
    'invalid_input',
    '--partial says that the log does not hold everything, and --covers that it holds some days in full: give one of them',
  )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function isDay(text: string): boolean {
  const at = dayStart(text)
  return !Number.isNaN(at) && utcDay(at) === text
}
