import { decodeBrand } from '../find-brand.ts'
import type { FixesContext } from './candidate.ts'
import { makeFixes } from './make-fixes.ts'
import { verifyFixes } from './verify-fixes.ts'

/** Makes and judges the fixes of every active brand. A failure for one does not affect the others. */
export async function followFixes(ctx: FixesContext, signal: AbortSignal): Promise<void> {
  const brands = await ctx.control.db
    .selectFrom('brands')
    .selectAll()
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
  const failures: unknown[] = []
  for (const row of brands) {
    signal.throwIfAborted()
    const brand = decodeBrand(row)
    try {
      await makeFixes(ctx, brand)
      await verifyFixes(ctx, brand)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `fixes of ${failures.length} brands could not be followed`)
}
