/**
 * A generated combined log: 40 days, AI crawlers, pages by Zipf, many browsers; the same for the same number of lines
 * and share of crawlers.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { builtInDocument } from '#crawlers/registry/built-in.ts'

const CRAWLERS = [
  'gptbot',
  'oai-searchbot',
  'claudebot',
  'amazonbot',
  'ccbot',
  'perplexitybot',
  'applebot',
  'chatgpt-user',
]
const PAGES = 50_000
const START = Date.UTC(2026, 9, 1)
const DAYS = 40
const BATCH = 20_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Writes the log and prints nothing; about 220 bytes per line. `share`: the share of crawler lines, 0 to 1. */
export async function generateLog(file: string, lines: number, share = 0.05): Promise<void> {
  const random = sequence(7)
  const agents = CRAWLERS.map(
    (id) => builtInDocument.entries.find((entry) => entry.crawler_id === id)?.example_user_agents[0] as string,
  )
  const out = openSync(file, 'w')
  try {
    for (let start = 0; start < lines; start += BATCH) {
      let text = ''
      for (let index = start; index < Math.min(lines, start + BATCH); index++)
        text += line(index / lines, random, agents, share)
      writeSync(out, text)
    }
  } finally {
    closeSync(out)
  }
}

let second = -1
let stamp = ''

function line(part: number, random: () => number, agents: readonly string[], share: number): string {
  const now = Math.floor((START + part * DAYS * 86_400_000) / 1000)
  if (now !== second) {
    second = now
    const at = new Date(now * 1000).toISOString()
    stamp = `${at.slice(8, 10)}/${MONTHS[Number(at.slice(5, 7)) - 1]}/${at.slice(0, 4)}:${at.slice(11, 19)} +0000`
  }
  const page = Math.floor(Math.exp(random() * Math.log(PAGES)))
  const status = random() < 0.9 ? 200 : 404
  const size = Math.floor(random() * 90_000)
  const client = `198.51.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`
  const agent =
    random() < share
      ? (agents[Math.floor(random() * agents.length)] as string)
      : `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + Math.floor(random() * 40)}.0.${Math.floor(random() * 60)}.0 Safari/537.36`
  return `${client} - - [${stamp}] "GET /articles/section-${page % 97}/page-${page} HTTP/1.1" ${status} ${size} "-" "${agent}"\n`
}

/** Numbers in [0, 1), the same for the same seed. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}
