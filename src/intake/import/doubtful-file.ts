/** Files that were probably filtered or cut, so that they cover their time in part only (rules 3). */
import { isHardlyReadable } from '../facts/unreadable-share.ts'
import type { FileCounts } from './file-counts.ts'

/** Why a file covers its time in part: said by who imports it, or seen in it. Empty: it covers it. */
export function doubtOf(
  { human, malformed, lines }: Pick<FileCounts, 'human' | 'malformed' | 'lines'>,
  request: { partial?: boolean | undefined },
): string {
  if (request.partial) return 'declared_partial'
  if (human === 0) return 'no_humans'
  if (isHardlyReadable(malformed, lines)) return 'unreadable_lines'
  return ''
}
