import { MINUTE_MS } from '#clock.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'

const MAX_BYTES = 8_388_608

/**
 * Fetches the text of a registry document. `updateRegistry` validates it, as it does for a file.
 * @throws Refusal invalid_input: not https, or an address that the service does not request; unreachable: no document.
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
