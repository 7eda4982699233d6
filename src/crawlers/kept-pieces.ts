/**
 * Counts of the open day while its facts arrive: pieces of what had come by an instant are kept, and only what has
 * come since is read. Facts that were received late, deleted or merged change what names those of a piece, which is
 * then read again.
 */
import { dayStart } from '#days/utc-day.ts'
import { piecesBefore } from '#derived/pieces.ts'
import { changedStore } from '#evidence/changed-store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { SiteContext } from './context.ts'
import { type ReceivedFacts, readReceived, SPAN_MS } from './received-facts.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** What was received so long ago is stored by now, but for rare exceptions. */
const STORED_MS = 5_000
/** Pieces end at multiples of this, so that those of all answers do. */
const PIECE_MS = SPAN_MS
/** What has come since is read with several threads on days of so many facts. */
const MIN_FACTS_OF_THREADS = 500_000
/** Pieces are put together in the background; an answer does it itself, which takes longer, beyond so many. */
const MAX_PIECES = 16

interface Piece<T> {
  /** What had come by this instant, epoch milliseconds, and is in no piece before it. */
  to: number
  counts: T
  /** Names the facts that were received before its end: it is read again when they are others. */
  facts: string
}

interface PieceRead<T> {
  /** Under which pieces are kept. */
  key: string
  read(scope: CrawlerScope, evidence: EvidenceStore): Promise<T>
  bytesOf(counts: T): number
  /** False when pieces must not be kept any more. */
  isStillSo(): Promise<boolean>
}

/** Counts of one day that is read from facts, of which these are there now, in parts that add up. */
export async function readPieces<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  of: PieceRead<T>,
  received: ReceivedFacts,
): Promise<T[]> {
  ctx.derived.openDayReads.note(
    of.key,
    { refresh: (min_facts, as_of) => refreshPieces(ctx, { ...scope, as_of, facts_version: null }, of, min_facts) },
    ctx.clock.now(),
  )
  const to = lastEnd(scope)
  let pieces = findKept(ctx, of, received, to)
  const { max_rest_facts } = ctx.derived.openDayReads
  if (pieces.length === 0 || received.requestsFrom(endOf(pieces), to) > max_rest_facts) {
    const before = pieces.length < MAX_PIECES ? pieces : stayBefore(scope, pieces, to)
    pieces = await addPiece(ctx, scope, of, { before, to, received })
  }
  // Reading few facts with two threads takes as long and more of the processors.
  const isSmall = received.requestsFrom(BEFORE_ALL, Number.POSITIVE_INFINITY) < MIN_FACTS_OF_THREADS
  const evidence = isSmall ? withOneThread(ctx.evidence) : ctx.evidence
  const rest = await of.read({ ...scope, come: { from: endOf(pieces), to: null } }, evidence)
  return [...pieces.map(({ counts }) => counts), rest]
}

/**
 * Makes what has come since the last piece another one, where there is much of it, with one thread: answers have the
 * other processor.
 */
async function refreshPieces<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  of: PieceRead<T>,
  min_facts: number,
): Promise<void> {
  // What made room, or may not be kept any more, would be read in vain.
  if (ctx.derived.answers.get(of.key) === undefined || !(await of.isStillSo())) return
  // What had come by one instant is named once for all reads of a site.
  const received = await readReceived(ctx, { ...scope, facts_version: `by ${scope.as_of}` })
  const to = lastEnd(scope)
  const pieces = findKept(ctx, of, received, to)
  if (received.requestsFrom(endOf(pieces), to) < min_facts) return
  const before = stayBefore(scope, pieces, to)
  await addPiece({ ...ctx, evidence: withOneThread(ctx.evidence) }, scope, of, { before, to, received })
}

/** The pieces that stay when what has come by `to` is counted: the others are read again together with it. */
const stayBefore = <P extends { to: number }>({ fact_days }: CrawlerScope, pieces: readonly P[], to: number): P[] =>
  piecesBefore(pieces, dayStart(fact_days[0] as string), to)

/** The same store, which reads with one thread: for what no answer waits for. */
export const withOneThread = (store: EvidenceStore): EvidenceStore =>
  changedStore(store, { all: (statement, limits) => store.all(statement, { ...limits, max_threads: 1 }) })

const lastEnd = ({ as_of }: CrawlerScope): number => Math.floor((as_of - STORED_MS) / PIECE_MS) * PIECE_MS

/** The pieces that are kept, up to the first whose facts are not those of before. */
function findKept<T>(
  { derived }: SiteContext,
  { key }: PieceRead<T>,
  { nameBefore }: ReceivedFacts,
  to: number,
): readonly Piece<T>[] {
  const kept = derived.answers.get<readonly Piece<T>[]>(key) ?? []
  const other = kept.findIndex((piece) => piece.to > to || piece.facts !== nameBefore(piece.to))
  return other === -1 ? kept : kept.slice(0, other)
}

const BEFORE_ALL = 0

/** The end of the last piece; before all facts where there is none. */
function endOf(pieces: readonly Piece<unknown>[]): number {
  const last = pieces.at(-1)
  return last === undefined ? BEFORE_ALL : last.to
}

interface Growth<T> {
  /** The pieces that stay. */
  before: readonly Piece<T>[]
  /** The end of the new piece. */
  to: number
  received: ReceivedFacts
}

/** Reads another piece and keeps it; those who need the same piece of the same facts meanwhile wait for one read. */
function addPiece<T>(
  { derived: { answers }, evidence }: SiteContext,
  scope: CrawlerScope,
  { key, read, bytesOf, isStillSo }: PieceRead<T>,
  { before, to, received }: Growth<T>,
): Promise<readonly Piece<T>[]> {
  const facts = received.nameBefore(to)
  const name = JSON.stringify(['piece', key, before.map((piece) => piece.to), to, facts])
  return answers.share(name, async () => {
    const counts = await read({ ...scope, come: { from: endOf(before), to } }, evidence)
    const all = [...before, { to, counts, facts }]
    const bytes = all.reduce((sum, piece) => sum + bytesOf(piece.counts), 0)
    if (await isStillSo()) answers.set(key, all, bytes)
    return all
  })
}
