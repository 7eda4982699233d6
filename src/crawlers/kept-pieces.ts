/**
 * Counts of the open day while its facts arrive: pieces of what had come by an instant are kept, and only what has
 * come since is read. Facts that were received late, deleted or merged change what names those of a piece, which is
 * then read again.
 */
import type { SiteContext } from './context.ts'
import { received } from './kept-counts.sql.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** What was received so long ago is stored by now, but for rare exceptions. */
const STORED_MS = 5_000
/** What has come since the last piece becomes another one when it is as old as this. */
const PIECE_MS = 30_000
/** So many are read as one again, but for the first, which is the largest of most days. */
const MAX_PIECES = 6

interface Pieces<T> {
  /** What had come by this instant, epoch milliseconds, is in them; and by what instant in the first. */
  to: number
  first_to: number
  /** Names the facts that were received before `to`. */
  facts: string
  counts: readonly T[]
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
  const [facts] = await ctx.evidence.all(
    received(scope.site_id, scope.fact_days, kept === undefined ? to : kept.to, to),
  )
  const isUsable = kept !== undefined && kept.to <= to && kept.facts === facts?.before
  let pieces = isUsable ? kept : null
  if (pieces === null || to - pieces.to >= PIECE_MS) {
    pieces = await addPiece(scope, of, pieces, { to, facts: facts?.now ?? '' })
    const bytes = pieces.counts.reduce((sum, counts) => sum + of.bytesOf(counts), 0)
    if (await of.isStillSo()) answers.set(of.key, pieces, bytes)
  }
  return [...pieces.counts, await of.read({ ...scope, come: { from: pieces.to, to: null } })]
}

async function addPiece<T>(
  scope: CrawlerScope,
  { read }: PieceRead<T>,
  pieces: Pieces<T> | null,
  next: { to: number; facts: string },
): Promise<Pieces<T>> {
  if (pieces === null) {
    return { ...next, first_to: next.to, counts: [await read({ ...scope, come: { from: 0, to: next.to } })] }
  }
  const isFull = pieces.counts.length >= MAX_PIECES
  const from = isFull ? pieces.first_to : pieces.to
  const before = isFull ? pieces.counts.slice(0, 1) : pieces.counts
  return { ...pieces, ...next, counts: [...before, await read({ ...scope, come: { from, to: next.to } })] }
}
