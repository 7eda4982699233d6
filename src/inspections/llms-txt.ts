/** Whether a host offers an llms.txt: presence is information, never harm (rules 8.5). */
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'

export type LlmsTxt = 'present' | 'absent' | 'unknown'

const MAX_BYTES = 64 * 1024

/** Present: 200, not HTML, and the first non-empty line is a heading. Absent: any other response below 500. */
export async function findLlmsTxt(
  outgoing: SafeFetchContext,
  { origin, agent, timeout_ms }: { origin: string; agent: string; timeout_ms: number },
): Promise<LlmsTxt> {
  try {
    const { status, headers, body } = await safeFetch(outgoing, `${origin}/llms.txt`, {
      headers: () => ({ accept: 'text/plain,text/markdown,*/*;q=0.8', 'user-agent': agent }),
      max_bytes: MAX_BYTES,
      on_too_long: 'truncate',
      timeout_ms,
    })
    if (status >= 500 || REFUSALS.has(status)) return 'unknown'
    const isText = status === 200 && !/html/i.test(headers['content-type'] ?? '')
    return isText && /^\ufeff?\s*# /.test(body.toString('utf8')) ? 'present' : 'absent'
  } catch (error) {
    if (error instanceof OutgoingRefusal) return 'unknown'
    throw error
  }
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 407, 429])
