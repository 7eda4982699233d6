/** Zoraxy: `[time] [router:…] [origin:host] [client: address] [useragent: agent] METHOD path status`, local time. */
import type { FileState, LineFormat, Outcome } from './format.ts'
import { fillRecord } from './named-request.ts'
import type { LogRecord } from './record.ts'
import { readTime } from './time.ts'

export const zoraxy: LineFormat = { name: 'zoraxy', reads: (line) => LAYOUT.test(line), read }

const LAYOUT =
  /^(?:\S+ \S+ )?\[(\d{4}-\d\d-\d\d [^\]]+)\] \[router:[^\]]*\] \[origin:([^\]]*)\] \[client: ?([^\]]*)\] \[useragent: ?(.*)\] ([A-Z]+) (\S.*) (\d{1,3})$/

function read(line: string, into: LogRecord, { zone }: FileState): Outcome {
  const parts = LAYOUT.exec(line) as RegExpExecArray
  const [, time, host, client, agent, method, target, status] = parts as unknown as string[]
  const at = readTime(time as string, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  return fillRecord(into, {
    at,
    method: method as string,
    target: target as string,
    status: Number(status),
    host: host as string,
    user_agent: agent as string,
    client: client as string,
  })
}
