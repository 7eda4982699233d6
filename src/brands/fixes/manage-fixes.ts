/** The fixes of a brand as operations of people; only these reopen one (account API 2.5). */
import type { Clock } from '#clock.ts'
import type { Fix } from '#contract/account-api/index.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { Implementations } from '#implementation.ts'
import type { FoundBrand } from '../find-brand.ts'
import { changeFix, type FixAction, findFix } from './change-fix.ts'
import { describeFix, readFixes } from './read-fixes.ts'

interface Services {
  control: ControlStore
  clock: Clock
}

type FixOperation = 'fix.list' | 'fix.show' | 'fix.accept' | 'fix.dismiss' | 'fix.complete' | 'fix.reopen'

export const manageFixes: Implementations<ManagementOperationOf<FixOperation>, Services> = {
  async 'fix.list'({ control, brand }, { kind = null, status = 'all', limit, offset }) {
    const { fixes, total } = await readFixes(control.db, brand.id, { filter: { kind, status }, limit, offset })
    return { fixes: fixes.map(describeFix), total_count: total }
  },
  async 'fix.show'({ control, brand }, { fix }) {
    return describeFix(await findFix(control.db, brand, fix))
  },
  'fix.accept': (ctx, input) => change(ctx, 'accept', input),
  'fix.dismiss': (ctx, input) => change(ctx, 'dismiss', input),
  'fix.complete': (ctx, input) => change(ctx, 'complete', input),
  'fix.reopen': (ctx, input) => change(ctx, 'reopen', input),
}

async function change(
  ctx: Services & { brand: FoundBrand },
  action: FixAction,
  { fix, version, reason }: { fix: string; version?: number; reason?: string },
): Promise<Fix> {
  return describeFix(
    await changeFix(ctx, { brand: ctx.brand, fix_id: fix, action, version: version ?? null, reason: reason ?? null }),
  )
}
