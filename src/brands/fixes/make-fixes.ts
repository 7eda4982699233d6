/** Makes the fixes that the evidence asks for, each once (account API 2.5). */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { FixRow } from '#control/tables.ts'
import type { FoundBrand } from '../find-brand.ts'
import type { FixCandidate, FixesContext } from './candidate.ts'
import { NO_PROGRESS } from './change-fix.ts'
import { findCandidates } from './find-candidates.ts'

/** A completed fix has this long to take effect before the same evidence makes another one. */
const REST_MS = 30 * DAY_MS
/** The most open fixes of a brand. */
const MAX_OPEN_FIXES = 500

/** Returns how many were made. Repeating it makes none. */
export async function makeFixes(ctx: FixesContext, brand: FoundBrand): Promise<number> {
  const candidates = await findCandidates(ctx, brand)
  if (candidates.length === 0) return 0
  return ctx.control.transaction(async (trx) => {
    const newest = await trx
      .selectFrom('fixes')
      .selectAll()
      .where('brand_id', '=', brand.id)
      .where('newest_of', 'is not', null)
      .execute()
    const known = new Map(newest.map((fix) => [fix.newest_of, fix]))
    let room = MAX_OPEN_FIXES - newest.filter(({ status }) => status === 'open').length
    let made = 0
    for (const candidate of candidates) {
      const before = known.get(identityOf(candidate))
      if (room <= 0 || !isDue(before, ctx.clock.now())) continue
      await addFix(trx, brand, candidate, before, ctx.clock.now())
      room -= 1
      made += 1
    }
    return made
  })
}

const identityOf = ({ kind, subject }: FixCandidate): string => JSON.stringify([kind, ...subject])

const isDue = (before: FixRow | undefined, now: number): boolean =>
  before === undefined ||
  (before.completed_at !== null && before.status === 'completed' && now >= before.completed_at + REST_MS)

async function addFix(
  trx: ControlTransaction,
  brand: FoundBrand,
  candidate: FixCandidate,
  before: FixRow | undefined,
  now: number,
): Promise<void> {
  const { kind, subject, title, description, evidence_refs, fix_prompt } = candidate
  if (before !== undefined) {
    await trx.updateTable('fixes').set({ newest_of: null }).where('id', '=', before.id).execute()
  }
  const row: FixRow = {
    id: randomUUID(),
    brand_id: brand.id,
    kind,
    subject: JSON.stringify(subject),
    newest_of: identityOf(candidate),
    title,
    description,
    evidence_refs: JSON.stringify(evidence_refs),
    fix_prompt,
    status: 'open',
    version: 1,
    created_at: now,
    updated_at: now,
    ...NO_PROGRESS,
    replaces: before === undefined ? null : before.id,
  }
  await trx
    .insertInto('fixes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['brand_id', 'newest_of']).doNothing())
    .execute()
}
