/** Counts what a web server logged without any of Spoor's code; only the tokens come from the registry. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Counts {
  by_crawler: Map<string, number>
  by_status: Map<number, number>
}

export interface Logged extends Counts {
  lines: number
  crawler_requests: number
}

interface Entry {
  crawler_id: string
  scope: string
  match: 'token' | 'substring'
  user_agent_tokens: string[]
  user_agent_excludes: string[]
}

const REGISTRY = new URL('../../src/crawlers/registry/registry.json', import.meta.url)
const { entries } = JSON.parse(readFileSync(REGISTRY, 'utf8')) as { entries: Entry[] }
const ENTRIES_BY_LENGTH = entries
  .flatMap((entry) => entry.user_agent_tokens.map((token) => ({ token: token.toLowerCase(), entry })))
  .sort((a, b) => b.token.length - a.token.length)

/** Known crawlers' requests in all logs of the folder; advertising crawlers are not published and not counted. */
export function countLogged(folder: string, read: (line: string) => { user_agent: string; status: number }): Logged {
  const logged: Logged = { lines: 0, crawler_requests: 0, by_crawler: new Map(), by_status: new Map() }
  const files = readdirSync(folder).filter((name) => /^spoor.*\.log(\.1)?$/.test(name))
  for (const line of files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))) {
    if (line === '') continue
    logged.lines++
    const { user_agent, status } = read(line)
    const entry = crawlerOf(user_agent.toLowerCase())
    if (entry === undefined || entry.scope === 'ads') continue
    logged.crawler_requests++
    addOne(logged.by_crawler, entry.crawler_id)
    addOne(logged.by_status, status)
  }
  return logged
}

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function crawlerOf(agent: string): Entry | undefined {
  const found = ENTRIES_BY_LENGTH.find(({ token, entry }) => {
    if (entry.user_agent_excludes.some((text) => agent.includes(text.toLowerCase()))) return false
    return entry.match === 'substring' ? agent.includes(token) : isWordOf(agent, token)
  })
  return found?.entry
}

/** A token is not part of a longer word; one that ends in a slash needs no end. */
function isWordOf(agent: string, token: string): boolean {
  for (let at = agent.indexOf(token); at >= 0; at = agent.indexOf(token, at + 1)) {
    const before = agent[at - 1] ?? ' '
    const after = agent[at + token.length] ?? ' '
    if (!/[a-z0-9]/.test(before) && (token.endsWith('/') || !/[a-z0-9]/.test(after))) return true
  }
  return false
}

export function sameCounts(one: Counts, other: Counts): boolean {
  return sameMap(one.by_crawler, other.by_crawler) && sameMap(one.by_status, other.by_status)
}

function sameMap<Key>(one: Map<Key, number>, other: Map<Key, number>): boolean {
  return one.size === other.size && [...one].every(([key, count]) => other.get(key) === count)
}
