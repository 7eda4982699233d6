/** The fixes of a brand as operations of people; only these reopen or delete one (account API 2.5). */
import type { Clock } from '#clock.ts'
import type { Fix } from '#contract/account-api/index.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { Implementations } from '#implementation.ts'
import type { FoundBrand } from '../find-brand.ts'
import { changeFix, type FixAction, findFix } from './change-fix.ts'
import { describeFix, readFixes } from './read-fixes.ts'
import { removeFix } from './remove-fix.ts'

interface Services {
  control: ControlStore
  clock: Clock
}

type FixOperation = `fix.${'list' | 'show' | 'accept' | 'dismiss' | 'complete' | 'reopen' | 'remove'}`

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
  async 'fix.remove'({ control, brand }, { fix, version = null }) {
    const { id, title } = await removeFix({ control }, { brand, fix_id: fix, version })
    return { id, title }
  },
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
