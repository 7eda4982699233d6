/**
 * Counts of the open day while its facts arrive: pieces of what had come by an instant are kept, and only what has
 * come since is read. Facts that were received late, deleted or merged change what names those of a piece, which is
 * then read again.
 */
import { dayStart } from '#days/utc-day.ts'
import { piecesBefore } from '#derived/pieces.ts'
import type { SiteContext } from './context.ts'
import { type ReceivedFacts, SPAN_MS } from './received-facts.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** What was received so long ago is stored by now, but for rare exceptions. */
const STORED_MS = 5_000
/** Pieces end at multiples of this, so that those of all answers do: what has come since becomes another one then. */
const PIECE_MS = SPAN_MS

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
  /** The facts that are there now. */
  received: ReceivedFacts
  /** False when pieces must not be kept any more. */
  isStillSo(): Promise<boolean>
}

/** Counts of one day that is read from facts, in parts that add up. */
export async function readPieces<T>(ctx: SiteContext, scope: CrawlerScope, of: PieceRead<T>): Promise<T[]> {
  const { answers } = ctx.derived
  const to = Math.floor((scope.as_of - STORED_MS) / PIECE_MS) * PIECE_MS
  const kept = answers.get<Pieces<T>>(of.key)
  const { nameBefore } = of.received
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
