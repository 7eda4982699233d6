import { MINUTE_MS } from '#clock.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'

const MAX_BYTES = 8_388_608

/**
 * The text of a registry document behind a URL; `updateRegistry` checks that it is one, as for a file.
 * @throws Refusal invalid_input: not https, or where the service does not go; unreachable: no such document to be had.
 */
export async function fetchRegistry(outgoing: SafeFetchContext, url: string): Promise<string> {
  const headers = { accept: 'application/json' }
  const limits = { max_bytes: MAX_BYTES, timeout_ms: MINUTE_MS }
  const answer = await safeFetch(outgoing, url, { headers, ...limits, schemes: ['https'] })
  if (answer.status !== 200) {
    const { host } = new URL(answer.url)
    throw new Refusal(
      'unreachable',
      `${host} answered ${answer.status} instead of a registry; nothing was loaded. Check the URL.`,
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(answer.body)
  } catch {
    throw new Refusal('invalid_input', 'the registry is not UTF-8; nothing was loaded')
  }
}
