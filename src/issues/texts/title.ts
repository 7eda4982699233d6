/** The title of an issue: what was observed, without reasons or judgements (rules 8.1, spec 1.6). */
import { dayStart } from '#days/utc-day.ts'
import { excerpt } from '#foreign-text.ts'

export interface ObservedHarm {
  /** Display names of the crawlers, in a fixed order. */
  crawlers: readonly string[]
  /** Every harmful request was verified: the title names the crawler, not its claim. */
  are_verified: boolean
  statuses: readonly number[]
  harmful: number
  /** Requests whose response was observed, the harmful ones among them. */
  observed: number
  host: string
  /** A path, or a prefix that ends with `*`. */
  path_key: string
  /** The number of harmed paths below a prefix. */
  member_count: number
  /** First and last day of harm, `YYYY-MM-DD`. */
  from: string
  to: string
}

/** The title of an issue about statuses. */
export function titleOf(harm: ObservedHarm): string {
  const statuses = [...harm.statuses].sort((a, b) => a - b).join(', ')
  return `${subject(harm)} got ${statuses} on ${harm.harmful} of ${harm.observed} observed requests to ${place(harm)}, ${periodText(harm)}`
}

function subject({ crawlers, are_verified }: ObservedHarm): string {
  const [only] = crawlers
  const named = crawlers.length === 1 && only !== undefined ? only : `${crawlers.length} crawlers`
  return are_verified ? named : `Requests naming ${named}`
}

function place({ host, path_key, member_count }: ObservedHarm): string {
  if (!path_key.endsWith('*') || member_count === 0) return titleText(`${host}${path_key}`)
  return `${member_count} ${member_count === 1 ? 'path' : 'paths'} under ${titleText(`${host}${path_key.slice(0, -1)}`)}`
}

/** Everything that is not a character of RFC 3986's paths; `%` stays where it is an escape already. */
const FOREIGN = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu

/** A path in a title: it cannot end the line, control a terminal, or look like a link to another site. */
export function titleText(text: string): string {
  const encoded = text
    .toWellFormed()
    .replace(FOREIGN, (character) => encodeURIComponent(character).replace(/^[^%].*$/s, hexOf))
    .replaceAll('://', ':%2F%2F')
  return excerpt(encoded).replace(/%[0-9A-Fa-f]?…$/, '…')
}

/** Encodes the characters that `encodeURIComponent` leaves as they are. */
const hexOf = (character: string) =>
  `%${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(2, '0')}`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `20 Nov 2026`, `14 to 20 Nov 2026`, `28 Oct to 3 Nov 2026`, `30 Dec 2025 to 2 Jan 2026`. */
export function periodText({ from, to }: Pick<ObservedHarm, 'from' | 'to'>): string {
  const [first, last] = [dateParts(from), dateParts(to)]
  const end = `${last.date} ${last.month} ${last.year}`
  if (from === to) return end
  if (first.year !== last.year) return `${first.date} ${first.month} ${first.year} to ${end}`
  return first.month === last.month ? `${first.date} to ${end}` : `${first.date} ${first.month} to ${end}`
}

function dateParts(day: string) {
  const at = new Date(dayStart(day))
  return { date: at.getUTCDate(), month: MONTHS[at.getUTCMonth()] as string, year: at.getUTCFullYear() }
}
