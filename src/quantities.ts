/** Numbers as people read them, in messages and on terminals. Answers of the API and `--json` hold plain numbers. */

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const SIZE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** A whole number with separators of thousands: `1,234,567`. */
export const formatCount = (count: number): string => COUNT.format(count)

/** A count with its noun: `1 site`, `1,200 sites`. The plural may be given where it takes more than an s. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`

/**
 * A number of bytes in the largest unit that leaves at least 1, with three digits: `812 bytes`, `1.5 KiB`, `23.4 GiB`.
 */
export function formatSize(bytes: number): string {
  if (bytes < 1_024) return countOf(bytes, 'byte')
  let size = bytes / 1_024
  let unit = 0
  // Three digits round 1,023.9 up to 1,024, which is 1 of the next unit.
  while (Math.round(size) >= 1_024 && unit < UNITS.length - 1) {
    size /= 1_024
    unit += 1
  }
  return size >= 1_000 ? `${formatCount(size)} ${UNITS[unit]}` : `${SIZE.format(size)} ${UNITS[unit]}`
}

const MAX_NAMES = 5

/** The first names of a list, and how many more there are: `a, b, c, d, e and 15 more`. */
export function nameSome(names: readonly string[], most = MAX_NAMES): string {
  const named = names.slice(0, most).join(', ')
  return names.length > most ? `${named} and ${formatCount(names.length - most)} more` : named
}
