/** Detects files that were probably filtered or cut, so that their coverage is only partial (rules 3). */
import { exceedsUnreadableShare } from '../facts/unreadable-share.ts'
import type { FileCounts } from './file-counts.ts'

/** Why the coverage of a file is partial: stated by the caller, or shown by the file; empty: it is complete. */
export function partialReason(
  { human, malformed, lines }: Pick<FileCounts, 'human' | 'malformed' | 'lines'>,
  request: { partial?: boolean | undefined },
): string {
  if (request.partial) return 'declared_partial'
  if (human === 0) return 'no_humans'
  if (exceedsUnreadableShare(malformed, lines)) return 'unreadable_lines'
  return ''
}
