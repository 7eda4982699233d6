/** Changes the state of a fix. Of two concurrent changes, one is refused (account API 2.5). */
import type { Clock } from '#clock.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { FixRow } from '#control/tables.ts'
import { isStorable, quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import type { FoundBrand } from '../find-brand.ts'
import { type FieldFault, InvalidRequest } from '../invalid-request.ts'

export type FixAction = 'accept' | 'complete' | 'dismiss' | 'reopen'

/** The source states and the target state of each action. In its target state, an action changes nothing. */
const ACTIONS: Record<FixAction, { from: readonly FixRow['status'][]; to: FixRow['status'] }> = {
  accept: { from: ['open'], to: 'accepted' },
  complete: { from: ['accepted'], to: 'completed' },
  dismiss: { from: ['open', 'accepted'], to: 'dismissed' },
  reopen: { from: ['completed', 'dismissed'], to: 'open' },
}

/** Whether an action is possible in a state. */
export const allowsAction = (status: FixRow['status'], action: FixAction): boolean =>
  ACTIONS[action].from.includes(status)

export interface FixChange {
  brand: Pick<FoundBrand, 'id'>
  fix_id: string
  action: FixAction
  /** The version that the caller read; null: any version. */
  version: number | null
  /** Stored when a fix is dismissed. */
  reason: string | null
}

/**
 * The fix after an action. A repeat changes nothing, whatever version it names.
 * @throws InvalidRequest: the reason cannot be stored.
 * @throws Refusal not_found; conflict: the action does not fit the state, the version is not the fix's, another change
 *   was first, or a newer fix replaces this one.
 */
export async function changeFix(
  { control, clock }: { control: ControlStore; clock: Clock },
  change: FixChange,
): Promise<FixRow> {
  const { action, version, reason } = change
  const faults = findReasonFaults({ reason })
  if (faults.length > 0) throw new InvalidRequest(faults)
  const { from, to } = ACTIONS[action]
  const fix = await findFix(control.db, change.brand, change.fix_id)
  if (fix.status === to) return fix
  refuseOtherVersion(fix, version)
  if (!allowsAction(fix.status, action)) {
    const allowed = from.join(' or ')
    throw new Refusal('conflict', `The fix is ${fix.status}; to ${action} it, it must be ${allowed}. Read it again.`)
  }
  if (action === 'reopen' && fix.newest_of === null) {
    throw new Refusal('conflict', 'A newer fix of the same subject replaces this one: act on that one.')
  }
  const now = clock.now()
  const values = { ...moved(action, now, reason), status: to, version: fix.version + 1, updated_at: now }
  const { numUpdatedRows } = await control.db
    .updateTable('fixes')
    .set(values)
    .where('id', '=', fix.id)
    .where('version', '=', fix.version)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 1) return { ...fix, ...values }
  const current = await findFix(control.db, change.brand, change.fix_id)
  if (current.status === to) return current
  throw new Refusal('conflict', 'Someone else changed the fix at the same time: read it again.')
}

/** @param version the version that the caller read; null: any. @throws Refusal conflict: the fix has another one. */
export function refuseOtherVersion(fix: Pick<FixRow, 'version'>, version: number | null): void {
  if (version === null || version === fix.version) return
  throw new Refusal('conflict', `The fix has version ${fix.version}, not ${version}: read it again.`)
}

/** Checks a reason beyond its schema: whether the store can keep its text. */
export function findReasonFaults(body: unknown): FieldFault[] {
  const { reason = null } = typeof body === 'object' && body !== null ? (body as { reason?: unknown }) : {}
  if (typeof reason !== 'string' || isStorable(reason)) return []
  const message = `${quoted(reason)} holds a NUL or half of a surrogate pair: leave it out.`
  return [{ path: ['reason'], code: 'invalid', message }]
}

function moved(action: FixAction, now: number, reason: string | null): Partial<FixRow> {
  if (action === 'accept') return { accepted_at: now }
  if (action === 'complete') return { completed_at: now, verification: 'awaiting_evidence' }
  if (action === 'dismiss') return { dismissed_at: now, dismissed_reason: reason }
  return NO_PROGRESS
}

/** The progress of a new or reopened fix. */
export const NO_PROGRESS = {
  accepted_at: null,
  completed_at: null,
  dismissed_at: null,
  dismissed_reason: null,
  verification: 'not_started',
  checked_at: null,
  ratio_before: null,
  ratio_after: null,
  verification_reason: null,
} as const satisfies Partial<FixRow>

/** @throws Refusal not_found. */
export async function findFix(db: ControlDb, brand: Pick<FoundBrand, 'id'>, fix_id: string): Promise<FixRow> {
  const found = await db
    .selectFrom('fixes')
    .selectAll()
    .where('brand_id', '=', brand.id)
    .where('id', '=', fix_id.toLowerCase())
    .executeTakeFirst()
  if (found === undefined) throw new Refusal('not_found', 'The brand has no fix with this id.')
  return found
}
