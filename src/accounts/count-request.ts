import type { Clock } from '#clock.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { blockedWindow, type QuotaWindow, readQuotas } from '#control/quotas/windows.ts'

/** The result of counting a request against its account's quotas. */
export interface CountedRequest {
  is_counted: boolean
  /** The hour of a counted request, else the full window that opens last. */
  window: QuotaWindow
  is_hour: boolean
  /** Whole seconds, at least 1, after which a refused request would be let through. */
  retry_after_seconds: number
}

/**
 * Judges and counts one request of an account (account API 5).
 * @throws the errors of the quota store; then the request must be refused.
 */
export async function countRequest(
  { quotas, clock }: { quotas: QuotaStore; clock: Clock },
  account_id: string,
): Promise<CountedRequest> {
  const now = clock.now()
  const { is_counted, rings } = await quotas.count(account_id, now)
  const read = readQuotas(rings, now)
  const window = is_counted ? read.hour : blockedWindow(read)
  if (window === null) throw new Error('a request was refused although both quotas have room')
  const wait_ms = is_counted ? 0 : Number(window.resets_at) - now
  const retry_after_seconds = Math.max(1, Math.ceil(wait_ms / 1_000))
  return { is_counted, window, is_hour: window === read.hour, retry_after_seconds }
}
