/**
 * The result of an import: every record is in one class, and the classes add up to `lines` (decisions 3.4, rules 4).
 */
import type { Advised } from '#next-step.ts'

export interface MalformedSample {
  /** Only if several files were imported at once. */
  file?: string
  line_number: number
  /** A stable code, for example `no_user_agent`. */
  reason: string
  /** The line's beginning with addresses, query strings and control characters masked; printed, never stored. */
  excerpt: string
}

export interface Warning extends Advised {
  code: string
}

export interface Ignored {
  server_internal: number
  sub_request: number
  own_inspection: number
  expired: number
}

export interface ImportReceipt {
  files: number
  /** Bytes as read, before decompression. */
  bytes: number
  /** Records, without blank lines and directives. */
  lines: number
  malformed: number
  malformed_samples: MalformedSample[]
  other_site: number
  human: number
  /** Part of `human`: lines whose user agent is empty or `-`, so that it is unknown whether a crawler sent them. */
  human_without_agent: number
  /** Part of `stored`: agents that look automated and that the registry does not know. */
  automated_unlabelled: number
  /** Part of `stored`: crawlers of scope `ads`, which no answer counts. */
  automated_not_counted: number
  duplicates: number
  ignored: Ignored
  stored: number
  /** Stored requests that answers count, by crawler id, most first. */
  by_crawler: Record<string, number>
  /** Crawlers' lines without a host, stored now or before: they count for `--host`, else for the root domain. */
  without_host: number
  /** First and last instant of the readable lines, UTC; null when there is none. */
  from: string | null
  to: string | null
  /** Readable lines by host of the site. */
  hosts: Record<string, number>
  /** Readable lines by host outside the site, the most frequent ones; not stored. */
  other_hosts: Record<string, number>
  seconds: number
  warnings: Warning[]
}

const SAMPLES = 5
const MAX_OTHER_HOSTS = 20

/** One receipt for several files. */
export function addReceipts(receipts: readonly ImportReceipt[]): ImportReceipt {
  return {
    files: total(receipts, (receipt) => receipt.files),
    bytes: total(receipts, (receipt) => receipt.bytes),
    lines: total(receipts, (receipt) => receipt.lines),
    malformed: total(receipts, (receipt) => receipt.malformed),
    malformed_samples: receipts.flatMap((receipt) => receipt.malformed_samples).slice(0, SAMPLES),
    other_site: total(receipts, (receipt) => receipt.other_site),
    human: total(receipts, (receipt) => receipt.human),
    human_without_agent: total(receipts, (receipt) => receipt.human_without_agent),
    automated_unlabelled: total(receipts, (receipt) => receipt.automated_unlabelled),
    automated_not_counted: total(receipts, (receipt) => receipt.automated_not_counted),
    duplicates: total(receipts, (receipt) => receipt.duplicates),
    ignored: {
      server_internal: total(receipts, (receipt) => receipt.ignored.server_internal),
      sub_request: total(receipts, (receipt) => receipt.ignored.sub_request),
      own_inspection: total(receipts, (receipt) => receipt.ignored.own_inspection),
      expired: total(receipts, (receipt) => receipt.ignored.expired),
    },
    stored: total(receipts, (receipt) => receipt.stored),
    by_crawler: addCounts(receipts.map((receipt) => receipt.by_crawler)),
    without_host: total(receipts, (receipt) => receipt.without_host),
    from: extreme(
      receipts.map((receipt) => receipt.from),
      (a, b) => a < b,
    ),
    to: extreme(
      receipts.map((receipt) => receipt.to),
      (a, b) => a > b,
    ),
    hosts: addCounts(receipts.map((receipt) => receipt.hosts)),
    other_hosts: mostFrequent(addCounts(receipts.map((receipt) => receipt.other_hosts))),
    seconds: Number(total(receipts, (receipt) => receipt.seconds).toFixed(3)),
    warnings: receipts.flatMap((receipt) => receipt.warnings),
  }
}

/** Counts by name, most first, then by name. */
export function sortCounts(counts: Iterable<readonly [string, number]>): Record<string, number> {
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))
}

/** The first entries of sorted counts. */
export function mostFrequent(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).slice(0, MAX_OTHER_HOSTS))
}

function total(receipts: readonly ImportReceipt[], of: (receipt: ImportReceipt) => number): number {
  return receipts.reduce((sum, receipt) => sum + of(receipt), 0)
}

function addCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) {
      const before = sums.get(name)
      sums.set(name, before === undefined ? count : before + count)
    }
  }
  return sortCounts(sums)
}

function extreme(values: readonly (string | null)[], wins: (a: string, b: string) => boolean): string | null {
  let best: string | null = null
  for (const value of values) if (value !== null && (best === null || wins(value, best))) best = value
  return best
}
