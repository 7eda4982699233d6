/** The report of an import: the receipt, its warnings, and the refusal of a file that cannot be used. */
import { DAY_MS, instantText, MINUTE_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { countOf } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { rootDomain } from '#sites/root-domain.ts'
import type { HostNames } from '../facts/host-limit.ts'
import { exceedsUnreadableShare } from '../facts/unreadable-share.ts'
import type { Committed } from './commit-import.ts'
import type { FileAgents } from './file-agents.ts'
import type { FileCounts } from './file-counts.ts'
import type { ImportRequest } from './import-log.ts'
import { type ImportReceipt, mostFrequent, OUT_OF_REACH, sortCounts, type Warning } from './receipt.ts'

const MAX_WINDOW_DAYS = 365
const MAX_NAMED_HOSTS = 5

/**
 * @param bytes as read, before decompression.
 * @throws Refusal empty_log, not_readable, invalid_input: nothing of the file can be stored.
 */
export function refuseUseless(
  { label, path = label, site }: ImportRequest,
  counts: FileCounts,
  { bytes, now }: { bytes: number; now: number },
): void {
  if (counts.lines === 0) {
    const what = bytes === 0 ? 'is empty' : 'holds no log line'
    throw new Refusal('empty_log', `${path} ${what}: there is nothing to import`)
  }
  const readable = counts.lines - counts.malformed
  if (readable === 0 && counts.reasons.get('time_ahead') === counts.lines) {
    throw new Refusal(
      'not_readable',
      `every line of ${path} is more than 24 hours ahead of the service clock (${instantText(now)}); check the clock of the machine, or start {next} at a later instant. Nothing was stored`,
      { next: { step: 'serve_at', clock: null } },
    )
  }
  const visits = readable - counts.server_internal - counts.sub_request
  // A log without agents is refused even if it has lines about connections or of the server itself (rules 4).
  if (readable === 0 || (visits === 0 && counts.reasons.has('no_user_agent'))) {
    throw new Refusal(
      'not_readable',
      `no line of ${path} can be read as an access log (${counts.malformedReasons()}); nothing was stored. The formats that are read, and what each has to hold: docs/operating/log-formats.md`,
    )
  }
  if (visits > 0 && !counts.has_agents) {
    throw new Refusal(
      'not_readable',
      `every user agent in ${path} is empty, so no crawler can be recognised; where the server leaves that header out, have it logged (Traefik: keep the header User-Agent in the access log). Nothing was stored`,
    )
  }
  if (visits > 0 && counts.other_site === visits) {
    const hosts = Object.keys(sortCounts(counts.foreign_hosts)).slice(0, MAX_NAMED_HOSTS)
    const named = hosts.length === 1 ? `its host is ${hosts[0]}` : `its hosts are ${hosts.join(', ')}`
    const domain = siteOf(hosts)
    const adding = domain === null ? '' : ' (where it is not there yet, {next} adds it)'
    throw new Refusal(
      'invalid_input',
      `no line of ${path} belongs to ${site.root_domain}: ${named}. Import it under the site it belongs to${adding}; nothing was stored`,
      domain === null ? {} : { next: { step: 'site.add', root_domain: domain } },
    )
  }
}

/** The root domain of the most frequent host, which is the first; null: no site can have it. */
function siteOf([host]: readonly string[]): string | null {
  try {
    return host === undefined ? null : rootDomain(host)
  } catch {
    return null
  }
}

/** The counts of a receipt. */
export function receiptOf(
  counts: FileCounts,
  committed: Committed,
  agents: FileAgents,
): Omit<ImportReceipt, 'bytes' | 'seconds' | 'warnings'> {
  const byCrawler = new Map<string, number>()
  let stored = 0
  let unlabelled = 0
  let not_counted = 0
  for (const [key, count] of committed.stored_by_agent) {
    stored += count
    const agent = agents.find(key)
    const crawler = agent?.crawler_id
    if (agent?.is_counted === false) not_counted += count
    else if (crawler === null || crawler === undefined) unlabelled += count
    else byCrawler.set(crawler, count + (byCrawler.has(crawler) ? (byCrawler.get(crawler) as number) : 0))
  }
  return {
    files: 1,
    lines: counts.lines,
    malformed: counts.malformed,
    malformed_samples: counts.samples,
    other_site: counts.other_site,
    human: counts.human,
    human_without_agent: counts.human_without_agent,
    automated_unlabelled: unlabelled,
    automated_not_counted: not_counted,
    duplicates: committed.duplicates,
    ignored: {
      server_internal: counts.server_internal,
      sub_request: counts.sub_request,
      own_inspection: counts.own_inspection,
      expired: 0,
    },
    stored,
    by_crawler: sortCounts(byCrawler),
    without_host: counts.without_host,
    from: instantText(counts.from),
    to: instantText(counts.to),
    hosts: sortCounts(counts.hosts),
    other_hosts: mostFrequent(sortCounts(counts.foreign_hosts)),
  }
}

/** The warnings of a receipt. */
export function warnings(
  counts: FileCounts,
  agents: FileAgents,
  hostNames: HostNames,
  { label }: ImportRequest,
): Warning[] {
  const found: Warning[] = []
  const say = (code: string, message: string) => found.push({ code, message: `${label}: ${message}` })
  if (counts.human === 0) {
    say('no_humans', 'no line is human, so the log looks filtered; its time counts as partial coverage')
  }
  if (exceedsUnreadableShare(counts.malformed, counts.lines)) {
    say(
      'unreadable_lines',
      `more than 1 % of the lines cannot be read (${counts.malformedReasons()}); its time counts as partial coverage`,
    )
  }
  if (agents.crowded_days.size > 0) {
    say(
      'many_agents',
      `over 10,000 agents came on ${agents.crowded_days.size === 1 ? 'a day' : `${agents.crowded_days.size} days`}; the further ones are kept together as :other`,
    )
  }
  const doubled = counts.double_log.share()
  if (doubled !== null) {
    say(
      'double_log',
      `${Math.round(100 * doubled)} % of the crawler lines stand twice under two protocols, so a front and a back server seem to share this log: import the log of one of them`,
    )
  }
  if (hostNames.crowded)
    say('many_hosts', 'the site has over 1,000 hosts; the further ones are kept together as :other')
  return found
}

/** Warns that lines without a time zone keep the instants of their first import (rules 4). */
export function movedLinesWarning({ moved }: Committed, { label }: ImportRequest): Warning[] {
  if (moved === 0) return []
  return [
    {
      code: 'other_timezone',
      message: `${label}: ${countOf(moved, 'line')} had been stored with times of another time zone and keep them, because importing a line again changes nothing. Their times in this zone do not count as covered: import the log with the --timezone of its first import`,
    },
  ]
}

/** Warns of times in the future without a zone: they are probably of a clock east of the zone of the import. */
export function futureTimesWarning(
  { has_local_times, to }: Pick<FileCounts, 'has_local_times' | 'to'>,
  { label, timezone = 'UTC' }: Pick<ImportRequest, 'label' | 'timezone'>,
  now: number,
): Warning[] {
  const minutes = Math.floor((to - now) / MINUTE_MS)
  if (!has_local_times || minutes < MIN_MINUTES_AHEAD) return []
  return [
    {
      code: 'local_times_ahead',
      message: `${label}: its times carry no zone, were read as ${timezone}, and end ${countOf(minutes, 'minute')} ahead of the service clock, so they are probably those of another zone. What is stored keeps its times; import further logs with --timezone, for example Europe/Berlin`,
    },
  ]
}

/** The clocks of two machines differ by less. */
const MIN_MINUTES_AHEAD = 5

/** Warns that the log is older than every window, and says how to read it. */
export function oldLogWarning(counts: FileCounts, { label }: ImportRequest, now: number): Warning[] {
  const last = dayStart(utcDay(counts.to))
  const days = Math.round((dayStart(utcDay(now)) - last) / DAY_MS)
  if (days < MAX_WINDOW_DAYS) return []
  const clock = new Date(last + DAY_MS).toISOString().replace('.000', '')
  return [
    {
      code: OUT_OF_REACH,
      message: `${label}: its last line is ${days} days old, and the longest window is ${MAX_WINDOW_DAYS} days. To read it as of its own time, restart the server with an earlier clock: {next}`,
      next: { step: 'serve_at', clock },
    },
  ]
}
