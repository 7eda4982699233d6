/** The sentence that precedes the answer of a tool: how whole it is (account API 6). */
import { countOf } from '#quantities.ts'

/** Members by which answers of all surfaces say how whole they are. */
interface Stated {
  meta?: {
    coverage_state?: string
    gaps?: readonly unknown[]
    completeness?: { state: string; gaps?: readonly unknown[]; limitations?: readonly string[] }
    limitations?: readonly string[]
    pagination?: ListMembers
  }
  next_cursor?: string | null
  /** Of an access check. */
  limitations?: readonly string[]
  /** Of answers about crawlers. */
  hidden_by_purpose_filter?: readonly { observed_request_count: number }[]
  /** Of a brand report. */
  missed?: readonly unknown[]
  missed_total?: number
  /** Of revenue. */
  reconciliation?: { capped: boolean; compared_orders: number | null; total_orders: number | null }
}
interface ListMembers {
  returned_count?: number
  total_count?: number | null
  truncated?: boolean
  offset?: number
}

/** @param output as the contract of an operation has it. */
export function describeCompleteness(output: object): string {
  const { meta, next_cursor, ...members } = output as Stated & ListMembers
  const state = meta?.coverage_state ?? meta?.completeness?.state
  const list = listSentence({ ...meta?.pagination, ...members }, next_cursor ?? null)
  const { truncated: _truncated, ...parts } = members
  const left_out = leftOutSentences(meta === undefined ? parts : { ...parts, meta })
  if (list !== null) return [evidenceSentence(state), list, ...left_out].join(' ')
  const is_whole = left_out.length === 0 && (state === undefined || state === 'complete')
  return [evidenceSentence(state), ...(is_whole ? ['Nothing is left out.'] : left_out)].join(' ')
}

/** What an answer leaves out besides the items of its own list; empty: nothing. */
function leftOutSentences({ meta, ...members }: Stated): string[] {
  const { limitations = [], hidden_by_purpose_filter = [], missed = [], missed_total = 0, reconciliation } = members
  const { pagination: _pagination, ...other_meta } = meta ?? {}
  const hidden = hidden_by_purpose_filter.reduce((sum, row) => sum + row.observed_request_count, 0)
  const named = [...limitations, ...(meta?.limitations ?? []), ...(meta?.completeness?.limitations ?? [])]
  const gaps = [...(meta?.gaps ?? []), ...(meta?.completeness?.gaps ?? [])]
  const said: [string, boolean][] = [
    ['The gaps name the days without evidence.', gaps.length > 0],
    ['The limitations name what is missing.', named.length > 0],
    [`The purpose filter leaves out ${countOf(hidden, 'observed request')}: see hidden_by_purpose_filter.`, hidden > 0],
    [`missed has ${missed.length} of ${missed_total} questions.`, missed_total > missed.length],
    [
      `reconciliation compares ${reconciliation?.compared_orders} of ${reconciliation?.total_orders} orders.`,
      reconciliation?.capped === true,
    ],
    [
      'Lists and texts are cut where truncated, or a member that ends with _truncated, is true.',
      isCut({ ...members, meta: other_meta }),
    ],
  ]
  return said.filter(([, applies]) => applies).map(([sentence]) => sentence)
}

/** Whether a part of the answer, however deep, says that it is cut. */
function isCut(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, member]) => (member === true && /(?:^|_)truncated$/.test(name)) || isCut(member),
  )
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
): string | null {
  if (returned_count === undefined) return null
  if (next_cursor !== null) return `${returned_count} items, and more follow: call again with next_cursor as cursor.`
  const of_all = total_count == null ? `${returned_count} items` : `${returned_count} of ${total_count} items`
  if (truncated !== true) return `${of_all}; none follow.`
  return offset === undefined
    ? `${of_all}; the others are not shown: narrow the question or raise limit.`
    : `${of_all}, and more follow: call again with offset ${offset + returned_count}.`
}
