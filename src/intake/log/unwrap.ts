/** Takes a log line out of what carried it: syslog, a container runtime's prefix, or a JSON envelope with a message in it. */
import { decodeText, toBinary } from './decode.ts'

/** The access log line inside a carrier's line; the line itself when nothing is wrapped around it. */
export function unwrap(line: string): string {
  let inner = line
  for (let layers = 0; layers < 3; layers += 1) {
    const taken = withoutPrefix(fromEnvelope(inner))
    if (taken === inner) return inner
    inner = taken
  }
  return inner
}

/** Keys under which docker, journald and log shippers keep the line that the program wrote. */
const MESSAGE_KEYS = ['log', 'message', 'MESSAGE', 'msg']

const PREFIXES = [
  // RFC 5424: version, time, host, program, process, message id, structured data.
  /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+) (?:\xef\xbb\xbf)?/,
  // RFC 3164 and its ISO-time cousins: time, host, program[process]:
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d (?:\S+ )?[\w./-]+(?:\[\d+\])?: +/,
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\S+ \S+ [\w./-]+(?:\[\d+\])?: +/,
  // CRI (containerd, CRI-O) and docker compose.
  /^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] /,
  /^[\w.-]+ +\| /,
  // What is left of a syslog head once a shipper has taken the time off.
  /^(?:[\w.-]+ )?[A-Za-z][\w./-]*(?:\[\d+\])?: +/,
]

function withoutPrefix(line: string): string {
  for (const prefix of PREFIXES) {
    const found = prefix.exec(line)
    if (found !== null) return line.slice(found[0].length)
  }
  return line
}

function fromEnvelope(line: string): string {
  if (!line.startsWith('{')) return line
  const record = parsed(line)
  for (const key of MESSAGE_KEYS) {
    const message = record?.[key]
    if (typeof message === 'string' && message.includes('"')) return toBinary(message).replace(/[\r\n]+$/, '')
  }
  return line
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(decodeText(line))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
