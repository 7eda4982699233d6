/**
 * Counts of the open day while its facts arrive: pieces of what had come by an instant are kept, and only what has
 * come since is read. Facts that were received late, deleted or merged change what names those of a piece, which is
 * then read again.
 */
import { dayStart } from '#days/utc-day.ts'
import type { SiteContext } from './context.ts'
import { received } from './kept-counts.sql.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** What was received so long ago is stored by now, but for rare exceptions. */
const STORED_MS = 5_000
/** What has come since the last piece becomes another one when it is as old as this. */
const PIECE_MS = 30_000
/**
 * A piece is read again, together with the time after it, unless it is more than so many times as long as that time. So
 * there are six at most, and together they read a day twelve times, also where answers are asked for from midnight on.
 */
const MAX_TIMES_LONGER = 4

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
  const to = scope.as_of - STORED_MS
  const kept = answers.get<Pieces<T>>(of.key)
  const kept_to = kept === undefined ? to : endOf(kept.pieces)
  const [facts] = await ctx.evidence.all(received(scope.site_id, scope.fact_days, kept_to, to))
  const isUsable = kept !== undefined && kept_to <= to && kept.facts === facts?.before
  let pieces = isUsable ? kept.pieces : []
  if (pieces.length === 0 || to - kept_to >= PIECE_MS) {
    pieces = await addPiece(scope, of, pieces, to)
    const bytes = pieces.reduce((sum, { counts }) => sum + of.bytesOf(counts), 0)
    if (await of.isStillSo()) answers.set(of.key, { facts: facts?.now ?? '', pieces } satisfies Pieces<T>, bytes)
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

/** The pieces that stay before a new one that ends at `to`; `start`: of the day, epoch milliseconds. */
export function piecesBefore<P extends { to: number }>(pieces: readonly P[], start: number, to: number): P[] {
  const before = [...pieces]
  for (let last = before.pop(); last !== undefined; last = before.pop()) {
    const length = last.to - (before.at(-1)?.to ?? start)
    if (length > MAX_TIMES_LONGER * (to - last.to)) return [...before, last]
  }
  return []
}
