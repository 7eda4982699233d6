/**
 * Counts of the open day while facts arrive (ADR 46): the facts that had arrived by an instant are counted once, as a
 * piece, and later answers read only facts that arrived after it. A piece is read again when its facts have changed,
 * because some were received late, deleted or merged.
 */
import { dayStart } from '#days/utc-day.ts'
import { piecesBefore } from '#derived/pieces.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { SiteContext } from './context.ts'
import { type CountedLabels, type LabelState, readLabels } from './label-state.ts'
import { type ReceivedFacts, readReceived, SPAN_MS } from './received-facts.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** Facts that were received this long ago are stored by now, with rare exceptions. */
const STORED_MS = 5_000
/** Pieces end at multiples of this, so that all answers have the same pieces. */
const PIECE_MS = SPAN_MS
/** On days with at least this many facts, the facts since the last piece are read with several threads. */
const MIN_FACTS_OF_THREADS = 500_000
/** Pieces are merged in the background. An answer merges them itself, which takes longer, only beyond this number. */
const MAX_PIECES = 16

interface Piece<T> {
  /** Its end, epoch milliseconds: it counts facts that had arrived by then and are in no earlier piece. */
  to: number
  counts: T
  /** Identifies the facts that were received before its end; if they change, the piece is read again. */
  facts: string
  /** The same for the labels of their agents. */
  labels: CountedLabels
}

interface PieceRead<T> {
  /** The key of the pieces in the cache. */
  key: string
  read(scope: CrawlerScope, evidence: EvidenceStore): Promise<T>
  bytesOf(counts: T): number
}

/** The facts that are stored now, and the labels of their agents. */
interface Stored {
  received: ReceivedFacts
  labels: LabelState
}

/** Counts of one day that is read from facts, in parts that add up. */
export async function readPieces<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  counts: PieceRead<T>,
  stored: Stored,
): Promise<T[]> {
  const { received } = stored
  if (ctx.is_in_advance !== true) {
    const refresh = (min_facts: number, as_of: number) =>
      refreshPieces(ctx, { ...scope, as_of, facts_version: null }, counts, min_facts)
    ctx.derived.openDayReads.note(counts.key, { refresh }, ctx.clock.now())
  }
  const to = lastEnd(scope)
  let pieces = findCached(ctx, counts, stored, to)
  const { max_new_facts } = ctx.derived.openDayReads
  if (pieces.length === 0 || received.countBetween(endOf(pieces), to) > max_new_facts) {
    const before = pieces.length < MAX_PIECES ? pieces : piecesThatStay(scope, pieces, to)
    pieces = await addPiece(ctx, scope, counts, { before, to, stored })
  }
  // Reading few facts with two threads takes as long and more of the processors.
  const isSmall = received.countBetween(BEFORE_ALL, Number.POSITIVE_INFINITY) < MIN_FACTS_OF_THREADS
  const evidence = isSmall ? withOneThread(ctx.evidence) : ctx.evidence
  const newest = await counts.read({ ...scope, arrived: { from: endOf(pieces), to: null } }, evidence)
  return [...pieces.map(({ counts }) => counts), newest]
}

/**
 * Makes another piece of the facts since the last one, if they are many. It uses one thread, so that answers have the
 * other processor.
 */
async function refreshPieces<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  counts: PieceRead<T>,
  min_facts: number,
): Promise<void> {
  // Pieces that were dropped are not updated.
  if (ctx.derived.answers.get(counts.key) === undefined) return
  // The facts up to this instant are identified once for all reads of a site.
  const received = await readReceived(ctx, { ...scope, facts_version: `by ${scope.as_of}` })
  const stored = { received, labels: await readLabels(ctx, scope) }
  const to = lastEnd(scope)
  const pieces = findCached(ctx, counts, stored, to)
  if (received.countBetween(endOf(pieces), to) < min_facts) return
  const before = piecesThatStay(scope, pieces, to)
  await addPiece({ ...ctx, evidence: withOneThread(ctx.evidence) }, scope, counts, { before, to, stored })
}

/** The pieces that stay when a piece up to `to` is made; the others are read again as a part of it. */
const piecesThatStay = <P extends { to: number }>({ fact_days }: CrawlerScope, pieces: readonly P[], to: number): P[] =>
  piecesBefore(pieces, dayStart(fact_days[0] as string), to)

/** A store that reads with one thread, for reads that no answer waits for. */
export const withOneThread = (store: EvidenceStore): EvidenceStore =>
  overrideStore(store, { all: (statement, limits) => store.all(statement, { ...limits, max_threads: 1 }) })

const lastEnd = ({ as_of }: CrawlerScope): number => Math.floor((as_of - STORED_MS) / PIECE_MS) * PIECE_MS

/** The cached pieces, up to the first one whose facts or labels have changed. */
function findCached<T>(
  { derived }: SiteContext,
  { key }: PieceRead<T>,
  { received, labels }: Stored,
  to: number,
): readonly Piece<T>[] {
  const cached = derived.answers.get<readonly Piece<T>[]>(key) ?? []
  const changed = cached.findIndex(
    (piece) => piece.to > to || piece.facts !== received.fingerprintBefore(piece.to) || !labels.hasSame(piece.labels),
  )
  return changed === -1 ? cached : cached.slice(0, changed)
}

const BEFORE_ALL = 0

/** The end of the last piece; without pieces, an instant before all facts. */
function endOf(pieces: readonly Piece<unknown>[]): number {
  const last = pieces.at(-1)
  return last === undefined ? BEFORE_ALL : last.to
}

interface NewPiece<T> {
  /** The pieces that stay. */
  before: readonly Piece<T>[]
  /** The end of the new piece. */
  to: number
  stored: Stored
}

/** Reads another piece and caches it. Answers that need the same piece of the same facts wait for one read. */
function addPiece<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  { key, read, bytesOf }: PieceRead<T>,
  { before, to, stored }: NewPiece<T>,
): Promise<readonly Piece<T>[]> {
  const { answers } = ctx.derived
  const facts = stored.received.fingerprintBefore(to)
  const name = JSON.stringify(['piece', key, before.map((piece) => piece.to), to, facts, stored.labels.fingerprint])
  return answers.share(name, async () => {
    const counts = await read({ ...scope, arrived: { from: endOf(before), to } }, ctx.evidence)
    const now = await readLabels(ctx, scope)
    const all = [...before, { to, counts, facts, labels: now.countedBy(ctx.clock.now()) }]
    const bytes = all.reduce((sum, piece) => sum + bytesOf(piece.counts), 0)
    if (now.fingerprint === stored.labels.fingerprint) answers.set(key, all, bytes)
    return all
  })
}
