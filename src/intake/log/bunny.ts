/** bunny.net's CDN log: twelve values between bars, fifteen with extended logging; bars are not escaped. */
import { kindOf } from './field-kinds.ts'
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import { instantOf } from './json/values.ts'
import { fillRecord } from './named-request.ts'
import type { LogRecord } from './record.ts'

export const bunny: LineFormat = { name: 'bunny', reads: (line) => HEAD.test(line), read, isOfEdge: () => true }

/** `cache|status|timestamp|bytes|zone|address|`, then referer, URL, edge location, agent, request id and country. */
const HEAD = /^[A-Z_-]{1,16}\|\d{1,3}\|\d{10,13}\|\d+\|\d+\|[^|\s]{1,64}\|/
const VALUES = 12
const EXTENDED_VALUES = 15

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const values = line.split('|', EXTENDED_VALUES + 1)
  if (values.length < VALUES) return 'line_cut_off'
  const [, status, time, , , client, referer, url, edge, agent, id, country] = values as string[]
  const at = instantOf(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  into.at = at
  // A bar inside of the referer, the URL or the agent shifts all values after it.
  if (values.length !== VALUES && values.length !== EXTENDED_VALUES) return 'unknown_layout'
  if (!REFERER.has(kindOf(referer as string)) || kindOf(url as string) !== 'url') return 'unknown_layout'
  if (!EDGE.test(edge as string) || !ID.test(id as string) || !COUNTRY.test(country as string)) return 'unknown_layout'
  fillRecord(into, {
    at,
    method: null,
    target: url as string,
    status: Number(status),
    host: null,
    user_agent: agent as string,
    client: client as string,
  })
  into.cut_off = values.length !== VALUES
  return null
}

const REFERER: ReadonlySet<string> = new Set(['empty', 'url', 'host', 'text', 'agent', 'technical'])
const EDGE = /^[A-Z][A-Z0-9-]{1,7}$/
const ID = /^[0-9a-fA-F-]{16,64}$/
const COUNTRY = /^(?:[A-Z]{2}|-)$/
