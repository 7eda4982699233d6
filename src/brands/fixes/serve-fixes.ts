/** The fixes of a brand as surface B serves them (account API 2.5). */
import { type Clock, instantText } from '#clock.ts'
import type { Fix, FixChangeInput, FixList, FixListInput } from '#contract/account-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { FoundBrand } from '../find-brand.ts'
import { listEnvelope } from '../list-envelope.ts'
import { changeFix, type FixAction, findFix } from './change-fix.ts'
import { describeFix, readFixes } from './read-fixes.ts'

interface FixesOfBrand {
  control: ControlStore
  clock: Clock
  brand: FoundBrand
}

export async function serveFixes(ctx: FixesOfBrand, input: FixListInput): Promise<FixList> {
  const { status, kind = null, limit, offset, ignored_parameters } = input
  const filters = { kind, status }
  return ctx.control.snapshot(async (trx) => {
    const { fixes, total } = await readFixes(trx, ctx.brand.id, { filter: filters, limit, offset })
    return {
      meta: { as_of: instantText(ctx.clock.now()), filters, ignored_parameters },
      fixes: fixes.map(describeFix),
      ...listEnvelope({ limit, offset, returned_count: fixes.length, total_count: total }),
    }
  })
}

export async function serveFix({ control, brand }: FixesOfBrand, { id }: { id: string }): Promise<Fix> {
  return describeFix(await findFix(control.db, brand, id))
}

/** The implementation of one action. */
export const serveFixAction =
  (action: FixAction) =>
  async (ctx: FixesOfBrand, { id, version, reason }: FixChangeInput): Promise<Fix> =>
    describeFix(
      await changeFix(ctx, { brand: ctx.brand, fix_id: id, action, version: version ?? null, reason: reason ?? null }),
    )
