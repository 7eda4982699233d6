/** The sentence that precedes the answer of a tool: how whole it is (account API 6). */

/** Members by which answers of all surfaces say how whole they are. */
interface Stated {
  meta?: {
    coverage_state?: string
    completeness?: { state: string }
    pagination?: ListMembers
  }
  next_cursor?: string | null
  /** Of an access check. */
  limitations?: readonly string[]
}
interface ListMembers {
  returned_count?: number
  total_count?: number | null
  truncated?: boolean
  offset?: number
}

/** @param output as the contract of an operation has it. */
export function describeCompleteness(output: object): string {
  const { meta, next_cursor, limitations = [], ...list } = output as Stated & ListMembers
  const state = meta?.coverage_state ?? meta?.completeness?.state
  if (limitations.length > 0) return `${evidenceSentence(state)} The limitations name what is missing.`
  return [evidenceSentence(state), listSentence({ ...meta?.pagination, ...list }, next_cursor ?? null)].join(' ')
}

function evidenceSentence(state: string | undefined): string {
  switch (state) {
    case undefined:
      return 'This is the current state.'
    case 'complete':
      return 'The evidence of the window is complete.'
    case 'unknown':
      return 'The evidence of the window is unknown: null means unknown, never zero.'
    default:
      return `The evidence of the window is ${state}: numbers are what was observed, and null means unknown, never zero.`
  }
}

function listSentence(
  { returned_count, total_count, truncated, offset }: ListMembers,
  next_cursor: string | null,
): string {
  if (returned_count === undefined) return 'Nothing is left out.'
  if (next_cursor !== null) return `${returned_count} items, and more follow: call again with next_cursor as cursor.`
  const of_all = total_count == null ? `${returned_count} items` : `${returned_count} of ${total_count} items`
  if (truncated !== true) return `${of_all}; none follow.`
  return offset === undefined
    ? `${of_all}; the others are not shown: narrow the question or raise limit.`
    : `${of_all}, and more follow: call again with offset ${offset + returned_count}.`
}
