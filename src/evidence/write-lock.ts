/** Keeps the writing of facts and the deletion of expired ones apart: pages that no fact speaks of yet must not be deleted as unused. */
import type { EvidenceStore } from './store.ts'

interface Turn {
  last: Promise<void>
  /** Counts the deletions of pages: whoever remembers which are stored forgets them with each. */
  deletions: number
}

const turns = new WeakMap<EvidenceStore, Turn>()

/** Runs work on pages and facts after all such work that was asked for before. */
export function inWritingTurn<T>(evidence: EvidenceStore, work: () => Promise<T>): Promise<T> {
  const turn = turnOf(evidence)
  const done = turn.last.then(work)
  turn.last = done.then(
    () => {},
    () => {},
  )
  return done
}

export function noteDeletedPages(evidence: EvidenceStore): void {
  turnOf(evidence).deletions++
}

/** Grows whenever stored pages may have been deleted. */
export function pageDeletions(evidence: EvidenceStore): number {
  return turnOf(evidence).deletions
}

function turnOf(evidence: EvidenceStore): Turn {
  const known = turns.get(evidence)
  if (known !== undefined) return known
  const fresh: Turn = { last: Promise.resolve(), deletions: 0 }
  turns.set(evidence, fresh)
  return fresh
}
