/** Detects staged rows that were lost while their import ran: they would be reported as duplicates. */
import type { CrawlerContext } from '#crawlers/context.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { type StagedDays, stagedRows } from './commit.sql.ts'

/** @throws EvidenceError unavailable: the store has another number of rows than were staged. */
export function refuseLostRows({ staged, found }: { staged: number; found: number }): void {
  if (found === staged) return
  const lost = `Of ${staged} staged rows the store has ${found}: another process has removed them.`
  throw new EvidenceError('unavailable', `${lost} Check that all nodes reach the control store.`)
}

/**
 * Call it on a node after facts of these days are stored. If this node has lost the import lock, another one may have
 * deleted the staged rows before, and pages whose facts were not stored yet (ADR 44).
 * @throws EvidenceError unavailable.
 */
export async function checkStaged(
  { evidence, intake }: CrawlerContext,
  days: StagedDays,
  { rows: staged }: { rows: number },
): Promise<void> {
  intake.checkImportLock()
  // The lease of a machine that was suspended may look valid, because its clock stood still, too.
  const [found] = await evidence.all(stagedRows(days))
  refuseLostRows({ staged, found: found === undefined ? 0 : found.rows })
}
