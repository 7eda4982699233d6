/** Envoy's default text layout: `[time] "request" status flags … "x-forwarded-for" "agent" "request id" "authority" "upstream"`. */
import { beginRecord, type FileState, type LineFormat } from './format.ts'
import { type LogRecord, type MalformedCode, observedStatus } from './record.ts'
import { agentText, hostText } from './remembered.ts'
import { readTime } from './time.ts'

export const envoy: LineFormat = { name: 'envoy', reads: (line) => LAYOUT.test(line), read }

const LAYOUT =
  /^\[(\d{4}-\d\d-\d\dT[^\]]+)\] ("[^"]*") (\d{1,3}) \S+ (?:\S+ )*?("[^"]*") ("[^"]*") "[^"]*" "([^"]*)" "[^"]*"\s*$/d

function read(line: string, into: LogRecord, { zone }: FileState): MalformedCode | null {
  const parts = LAYOUT.exec(line) as RegExpExecArray
  const ranges = parts.indices as RegExpIndicesArray
  const [, time, , status, , agent, authority] = parts as unknown as string[]
  const at = readTime(time as string, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  const [request_start, request_end] = ranges[2] as [number, number]
  const [client_start, client_end] = ranges[4] as [number, number]
  beginRecord(into, line, at)
  into.request_start = request_start + 1
  into.request_end = request_end - 1
  into.client_start = client_start + 1
  into.client_end = client_end - 1
  into.status_raw = Number(status)
  into.status = observedStatus(into.status_raw)
  into.host = hostText(authority as string)
  into.user_agent = agentText(agent as string, 1, (agent as string).length - 1)
  return null
}
