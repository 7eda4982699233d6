/** Counts requests of surface B and MCP, and tells what is left of the quotas (account API 5). */
import type { Clock } from '#clock.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { blockedWindow, type QuotaWindow, readQuotas } from '#control/quotas/windows.ts'
import { AccountFailure } from './failures.ts'

/** For how long a request is put off when its quota could not be checked. */
const STORE_FAILURE_SECONDS = 60

/**
 * Counts one request of an account.
 * @returns the headers that every later answer carries; they describe the hour.
 * @throws AccountFailure rate_limited, with the headers of the window that blocks, or without any when the store fails.
 */
export async function meterRequest(
  { quotas, clock }: { quotas: QuotaStore; clock: Clock },
  account_id: string,
): Promise<Record<string, string>> {
  const now = clock.now()
  const { is_counted, rings } = await quotas.count(account_id, now).catch((cause: unknown) => {
    const message = `The quota could not be checked. Try again in ${STORE_FAILURE_SECONDS} seconds.`
    const headers = { 'retry-after': String(STORE_FAILURE_SECONDS) }
    throw new AccountFailure('rate_limited', message, { headers, cause })
  })
  const read = readQuotas(rings, now)
  if (is_counted) return headersOf(read.hour)
  const blocked = blockedWindow(read)
  if (blocked === null || blocked.resets_at === null)
    throw new Error('a request was refused although both quotas have room')
  const retry_after = Math.max(1, Math.ceil((blocked.resets_at - now) / 1_000))
  const window = blocked === read.hour ? 'an hour' : '30 days'
  throw new AccountFailure(
    'rate_limited',
    `The account has made ${blocked.limit} requests within ${window}, the most that it may. Try again in ${retry_after} seconds.`,
    { headers: { ...headersOf(blocked), 'retry-after': String(retry_after) } },
  )
}

function headersOf({ limit, remaining, resets_at }: QuotaWindow): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(Number(resets_at) / 1_000)),
  }
}
