import type { Receipt } from '../read/upload.ts'
import { counted, fullCount } from './numbers.ts'

/** The classes of lines in a receipt, in the order of its bar. Their sum is the number of lines. */
export const LINE_CLASSES = ['stored', 'human', 'duplicates', 'other_site', 'ignored', 'malformed'] as const
export type LineClass = (typeof LINE_CLASSES)[number]

export const LINE_CLASS_WORDS: Record<LineClass, { label: string; about: string }> = {
  stored: { label: 'Stored', about: 'Requests of crawlers and other automated agents.' },
  human: { label: 'Human requests', about: 'Counted here and dropped: nothing about them was stored.' },
  duplicates: { label: 'Already stored', about: 'The same lines were imported before. They changed nothing.' },
  other_site: { label: 'Other sites', about: 'Their host does not belong to this site.' },
  ignored: {
    label: 'Ignored',
    about: 'A server’s own requests, Spoor’s own checks, or lines older than the retention.',
  },
  malformed: { label: 'Not readable', about: 'The layout is unknown, or a required field is missing.' },
}

export const lineCounts = (receipt: Receipt): Record<LineClass, number> => ({
  stored: receipt.stored,
  human: receipt.human,
  duplicates: receipt.duplicates,
  other_site: receipt.other_site,
  ignored: Object.values(receipt.ignored).reduce((sum, count) => sum + count, 0),
  malformed: receipt.malformed,
})

/** "Imported 4,141 lines: 1,042 stored, 3,099 human requests counted and dropped." */
export function receiptSentence(receipt: Receipt): string {
  const lines = lineCounts(receipt)
  const parts = [
    `${fullCount(lines.stored)} stored`,
    ...(lines.human > 0 ? [`${fullCount(lines.human)} human requests counted and dropped`] : []),
    ...(lines.duplicates > 0 ? [`${fullCount(lines.duplicates)} already stored`] : []),
    ...(lines.other_site > 0 ? [`${fullCount(lines.other_site)} of other sites`] : []),
    ...(lines.ignored > 0 ? [`${fullCount(lines.ignored)} ignored`] : []),
    ...(lines.malformed > 0 ? [`${fullCount(lines.malformed)} not readable`] : []),
  ]
  return `Imported ${counted(receipt.lines, 'line')}: ${parts.join(', ')}.`
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** "1.2 MB", in thousands. */
export function bytesText(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1_000 && unit < UNITS.length - 1) {
    amount /= 1_000
    unit += 1
  }
  return `${unit === 0 ? fullCount(amount) : amount.toFixed(1)} ${UNITS[unit]}`
}
