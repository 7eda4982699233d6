/** Counts requests of surface B and MCP, and says what is left of the quotas (account API 5). */

import { type CountedRequest, countRequest } from '#accounts/count-request.ts'
import type { AccountApiContext } from '#brands/context.ts'
import { formatCount } from '#quantities.ts'
import { AccountFailure } from './failures.ts'

/** For how long a request is put off when its quota could not be checked. */
const STORE_FAILURE_SECONDS = 60

/**
 * Counts one request of an account.
 * @returns the headers that every later answer carries; they describe the hour.
 * @throws AccountFailure rate_limited, with the headers of the window that blocks, or without any when the store fails.
 */
export async function meterRequest(
  ctx: Pick<AccountApiContext, 'quotas' | 'clock'>,
  account_id: string,
): Promise<Record<string, string>> {
  const counted = await countRequest(ctx, account_id).catch((cause: unknown) => {
    const message = `The quota could not be checked. Try again in ${STORE_FAILURE_SECONDS} seconds.`
    const headers = { 'retry-after': String(STORE_FAILURE_SECONDS) }
    throw new AccountFailure('rate_limited', message, { headers, cause })
  })
  const headers = headersOf(counted.window)
  if (counted.is_counted) return headers
  const { window, is_hour, retry_after_seconds } = counted
  throw new AccountFailure(
    'rate_limited',
    `The account has made ${formatCount(window.limit)} requests within ${is_hour ? 'an hour' : '30 days'}, the most that it may. ` +
      `Try again in ${retry_after_seconds} seconds.`,
    { headers: { ...headers, 'retry-after': String(retry_after_seconds) } },
  )
}

function headersOf({ limit, remaining, resets_at }: CountedRequest['window']): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(Number(resets_at) / 1_000)),
  }
}
