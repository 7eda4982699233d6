/** Zoraxy: `[time] [router:…] [origin:host] [client: address] [useragent: agent] METHOD path status`, local time. */
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import { fillRecord } from './named-request.ts'
import type { LogRecord } from './record.ts'
import { readTime } from './time.ts'

export const zoraxy: LineFormat = { name: 'zoraxy', reads: (line) => HEAD.test(line), read }

const HEAD =
  /^(?:\S+ \S+ )?\[(\d{4}-\d\d-\d\d [^\]]+)\] \[router:[^\]]*\] \[origin:([^\]]*)\] \[client: ?([^\]]*)\] \[useragent: ?/
const TAIL = /^([A-Z]+) (\S.*) (\d{1,3})$/

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const head = HEAD.exec(line) as RegExpExecArray
  const [front, time, host, client] = head as unknown as string[]
  // The agent may contain brackets; its closing one is the last, because no path contains a blank.
  const agent_start = (front as string).length
  const agent_end = line.lastIndexOf('] ')
  const tail = TAIL.exec(line.slice(agent_end + 2))
  if (agent_end < agent_start || tail === null) return 'line_cut_off'
  const at = readTime(time as string, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  fillRecord(into, {
    at,
    method: tail[1] as string,
    target: tail[2] as string,
    status: Number(tail[3]),
    host: host as string,
    user_agent: line.slice(agent_start, agent_end),
    client: client as string,
  })
  into.cut_off = (tail[3] as string).length < 3
  return null
}
