/** nginx proxy manager: `[time] [cache upstream] status - METHOD scheme host "path" [Client a] [Length n] …`. */
import { beginRecord, type FileState, type LineFormat } from './format.ts'
import { observedStatus } from './observed-status.ts'
import type { LogRecord, MalformedCode } from './record.ts'
import { agentText, hostText } from './remembered.ts'
import { readTime } from './time.ts'
import { readTokens } from './tokens.ts'

export const proxyManager: LineFormat = { name: 'nginx proxy manager', reads: (line) => LAYOUT.test(line), read }

const LAYOUT =
  /^\[([^\]]+)\] (?:\S+ \S+ )?(\d{1,3}|-) - ([A-Za-z_-]+|-) (https?|-) (\S+) "((?:[^"\\]|\\.)*)" \[Client ([^\]]*)\] \[Length /

function read(line: string, into: LogRecord, { zone }: FileState): MalformedCode | null {
  const parts = LAYOUT.exec(line) as RegExpExecArray
  const [front, time, status, method, , host, target, client] = parts as unknown as string[]
  const at = readTime(time as string, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  const [agent, referer] = readTokens(line, (front as string).length).filter((token) => token.kind === 'quoted')
  if (agent === undefined) return 'no_user_agent'
  // The layout has no request line, so one is made, with the client after it.
  const request = `${method} ${target} HTTP/1.1`
  beginRecord(into, `${request}\n${client}`, at)
  into.request_start = 0
  into.request_end = request.length
  into.client_start = request.length + 1
  into.client_end = into.source.length
  into.status_raw = status === '-' ? null : Number(status)
  into.status = observedStatus(into.status_raw)
  into.host = hostText(host as string)
  into.user_agent = agentText(line, agent.start, agent.end)
  into.cut_off = referer === undefined || referer.open
  return null
}
