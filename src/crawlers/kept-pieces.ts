/**
 * Counts of the open day while its facts arrive: pieces of what had come by an instant are kept, and only what has
 * come since is read. Facts that were received late, deleted or merged change what names those of a piece, which is
 * then read again.
 */
import { dayStart } from '#days/utc-day.ts'
import { piecesBefore } from '#derived/pieces.ts'
import type { SiteContext } from './context.ts'
import { received } from './kept-counts.sql.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** What was received so long ago is stored by now, but for rare exceptions. */
const STORED_MS = 5_000
/** Pieces end at multiples of this, so that those of all answers do: what has come since becomes another one then. */
const PIECE_MS = 30_000
interface Piece<T> {
  /** What had come by this instant, epoch milliseconds, and is in no piece before it. */
  to: number
  counts: T
}

interface Pieces<T> {
  /** Names the facts that were received before the end of the last piece. */
  facts: string
  /** One at least. */
  pieces: readonly Piece<T>[]
}

interface PieceRead<T> {
  /** Under which pieces are kept. */
  key: string
  read(scope: CrawlerScope): Promise<T>
  bytesOf(counts: T): number
  /** False when pieces must not be kept any more. */
  isStillSo(): Promise<boolean>
}

/** Counts of one day that is read from facts, in parts that add up. */
export async function readPieces<T>(ctx: SiteContext, scope: CrawlerScope, of: PieceRead<T>): Promise<T[]> {
  const { answers } = ctx.derived
  const to = Math.floor((scope.as_of - STORED_MS) / PIECE_MS) * PIECE_MS
  const kept = answers.get<Pieces<T>>(of.key)
  const nameBefore = await nameReceived(ctx, scope)
  const isUsable = kept !== undefined && endOf(kept.pieces) <= to && kept.facts === nameBefore(endOf(kept.pieces))
  let pieces = isUsable ? kept.pieces : []
  if (pieces.length === 0 || to > endOf(pieces)) {
    pieces = await addPiece(scope, of, pieces, to)
    const bytes = pieces.reduce((sum, { counts }) => sum + of.bytesOf(counts), 0)
    if (await of.isStillSo()) answers.set(of.key, { facts: nameBefore(to), pieces } satisfies Pieces<T>, bytes)
  }
  const rest = await of.read({ ...scope, come: { from: endOf(pieces), to: null } })
  return [...pieces.map(({ counts }) => counts), rest]
}

/**
 * What names the facts of a day that were received before an end of pieces. It takes a read of the whole day. Answers
 * of the same second that know of the same facts share it, but not while any are being written, because an answer must
 * count what its coverage covers (rules 3).
 */
async function nameReceived(ctx: SiteContext, { site_id, fact_days, as_of, facts_version }: CrawlerScope) {
  const read = () => ctx.evidence.all(received(site_id, fact_days, PIECE_MS / 1_000))
  const readShared = () =>
    ctx.derived.answers.recall(JSON.stringify(['received', site_id, fact_days]), {
      version: `${Math.floor(as_of / 1_000)} ${facts_version}`,
      read,
      bytesOf: (rows) => (rows.length + 1) * BYTES_A_SPAN,
      isStillSo: async () => true,
    })
  const spans = await (facts_version === null ? read() : readShared())
  return (before: number) => {
    const earlier = spans.filter(({ span }) => span * PIECE_MS < before)
    const sum = earlier.reduce((all, span) => all + BigInt(span.sum), 0n)
    return `${earlier.reduce((all, { requests }) => all + requests, 0)} ${sum}`
  }
}

const BYTES_A_SPAN = 200

const BEFORE_ALL = 0

/** The end of the last piece; before all facts where there is none. */
function endOf(pieces: readonly Piece<unknown>[]): number {
  const last = pieces.at(-1)
  return last === undefined ? BEFORE_ALL : last.to
}

async function addPiece<T>(
  scope: CrawlerScope,
  { read }: PieceRead<T>,
  pieces: readonly Piece<T>[],
  to: number,
): Promise<Piece<T>[]> {
  const before = piecesBefore(pieces, dayStart(scope.fact_days[0] as string), to)
  return [...before, { to, counts: await read({ ...scope, come: { from: endOf(before), to } }) }]
}
