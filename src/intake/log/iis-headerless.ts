/**
 * IIS lines without a `#Fields` header. IIS writes its columns in a fixed order and leaves out those that are not
 * chosen, so method and path, port and client, and the three numbers of the status identify the columns in between.
 * Uncertain lines are not read.
 */
import { readColumns } from './columns.ts'
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import type { LogRecord } from './record.ts'

export const iisHeaderless: LineFormat = { name: 'iis without header', reads: (line) => LAYOUT.test(line), read }

const LAYOUT =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:\S+ ){0,3}([A-Z_]{3,20}) (\/\S*) \S+ (?:\d{1,5}) \S+ ([\d.]+|[0-9A-Fa-f:.]+(?:%\w+)?) (.*)$/
const HOST = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+(?::\d+)?$/
const MAX_HOST_LENGTH = 260

function read(line: string, into: LogRecord, file: FileState): LineOutcome {
  const parts = LAYOUT.exec(line) as RegExpExecArray
  const [, date, time, method, stem, client, rest] = parts as unknown as string[]
  const words = (rest as string).split(' ', MAX_WORDS)
  if (words[0]?.startsWith('HTTP/')) words.shift()
  const status_at = words.findIndex((_word, at) => /^[1-9]\d\d \d+ \d+$/.test(words.slice(at, at + 3).join(' ')))
  if (status_at < 0) return 'not_an_access_log_line'
  // Agent, cookie, referer, host: the first of them is the agent, unless its content is that of another one.
  const between = words.slice(0, status_at)
  const agent = between[0]
  if (agent === undefined || !isAgent(agent, between.length)) return 'no_user_agent'
  const last = between.at(-1) as string
  const values: Record<string, string | undefined> = {
    date,
    time,
    'cs-method': method,
    'cs-uri-stem': stem,
    'c-ip': client,
    'sc-status': words[status_at],
    'cs(user-agent)': agent,
    'cs-host': between.length >= 3 && last.length <= MAX_HOST_LENGTH && HOST.test(last) ? last : undefined,
  }
  const outcome = readColumns((name) => values[name], into, file, 'plus')
  // The line ends with numbers, and a cut number looks like a whole one.
  into.cut_off = true
  return outcome
}

/** Version, agent, cookie, referer and host are before the status, and only four numbers after it. */
const MAX_WORDS = 32

function isAgent(word: string, words: number): boolean {
  if (/^https?:\/\//i.test(word) || /^[^/(]*=/.test(word)) return false
  return words >= 2 || /\/\d|\+/.test(word)
}
