/** Takes a log line out of what carried it: syslog, or a container runtime's prefix. JSON envelopes: envelopes.ts. */

/** The line without the prefix of one carrier; the line itself when it has none. */
export function withoutPrefix(line: string): string {
  const head = line.slice(0, MAX_PREFIX_LENGTH)
  for (const prefix of PREFIXES) {
    const found = prefix.exec(head)
    if (found !== null) return line.slice(found[0].length)
  }
  return line
}

/** Carriers write names and times; the structured data of RFC 5424 is the longest of it. */
const MAX_PREFIX_LENGTH = 4_096

const PREFIXES = [
  // RFC 5424: version, time, host, program, process, message id, structured data.
  /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+) (?:\xef\xbb\xbf)?/,
  // RFC 3164 and its ISO-time cousins: time, host, program[process]:
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d (?:\S+ )?[\w./-]+(?:\[\d+\])?: +/,
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\S+ \S+ [\w./-]+(?:\[\d+\])?: +/,
  // CRI (containerd, CRI-O) and docker compose.
  /^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] /,
  /^[\w.-]+ +\| /,
  // A time alone (`docker logs -t`, log exports of AWS) before JSON or a combined line.
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d) (?=\{|(?:\S+ )?\S+ - \S+ \[\d\d\/)/,
  // Syslog heads before JSON, down to the time and host that a CDN puts there, and the CEE cookie.
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\S+ \S+ +(?=\{)/,
  /^@cee: ?(?=\{)/,
  // What is left of a syslog head once a shipper has taken the time off.
  /^(?:[\w.-]+ )?[A-Za-z][\w./-]*(?:\[\d+\])?: +/,
]
