/**
 * Generated batches as a web server's sender makes them: a minute of requests, pages by Zipf, many browsers; the same
 * for the same number.
 */
import { builtInDocument } from '#crawlers/registry/built-in.ts'

const PAGES = 50_000
const CRAWLERS = 40
const END = Date.UTC(2026, 9, 1, 12)

const agents = builtInDocument.entries
  .filter((entry) => entry.example_user_agents.length > 0 && entry.scope !== 'ads')
  .slice(0, CRAWLERS)
  .map((entry) => entry.example_user_agents[0] as string)

export interface BatchOptions {
  /** The share of records that name a crawler, 0 to 1. */
  crawler_share: number
  /** Each record has an id. */
  has_ids?: boolean
  /** example.com by default. */
  domain?: string
  /**
   * Of the first record, epoch milliseconds; the others follow within a minute. By default the minute of its number.
   */
  from?: number
}

/** NDJSON of one batch; about 330 bytes per record. */
export function intakeBatch(number: number, records: number, options: BatchOptions): string {
  const { crawler_share, has_ids = false, domain = 'example.com', from = END + number * 60_000 } = options
  const random = sequence(number + 1)
  let text = ''
  for (let index = 0; index < records; index++) {
    const record = intakeRecord({ at: from + index * 12, crawler_share, domain }, random)
    text += `${JSON.stringify(has_ids ? { ...record, id: `${number}-${index}` } : record)}\n`
  }
  return text
}

interface RecordOrigin {
  at: number
  crawler_share: number
  domain: string
}

function intakeRecord({ at, crawler_share, domain }: RecordOrigin, random: () => number) {
  const page = Math.floor(Math.exp(random() * Math.log(PAGES)))
  const browser = 100 + Math.floor(random() * 40)
  return {
    timestamp: new Date(at).toISOString(),
    host: random() < 0.9 ? `www.${domain}` : domain,
    path: `/articles/section-${page % 97}/page-${page}`,
    method: 'GET',
    status: random() < 0.9 ? 200 : 404,
    user_agent:
      random() < crawler_share
        ? (agents[Math.floor(random() * agents.length)] as string)
        : `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser}.0.${Math.floor(random() * 60)}.0 Safari/537.36`,
    ip: `198.51.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`,
    bytes: Math.floor(random() * 90_000),
    duration_ms: Math.floor(random() * 500),
  }
}

/** Numbers in [0, 1), the same for the same seed. */
function sequence(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) & 0x7fffffff
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}
