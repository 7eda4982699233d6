/** Removes the prefix of syslog or a container runtime from a log line. For JSON envelopes see envelopes.ts. */

/** The line without one prefix; the line itself if it has none. */
export function withoutPrefix(line: string): string {
  const head = line.slice(0, MAX_PREFIX_LENGTH)
  for (const prefix of PREFIXES) {
    const found = prefix.exec(head)
    if (found !== null) return line.slice(found[0].length)
  }
  return line
}

/** Prefixes have names and times; the structured data of RFC 5424 is the longest part. */
const MAX_PREFIX_LENGTH = 4_096

const PREFIXES = [
  // RFC 5424: version, time, host, program, process, message id, structured data.
  /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+) (?:\xef\xbb\xbf)?/,
  // RFC 3164, also with ISO times: time, host, program[process]:
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d (?:\S+ )?[\w./-]+(?:\[\d+\])?: +/,
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\S+ \S+ [\w./-]+(?:\[\d+\])?: +/,
  // CRI (containerd, CRI-O) and docker compose.
  /^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] /,
  /^[\w.-]+ +\| /,
  // A time alone (`docker logs -t`, log exports of AWS) before JSON or a combined line.
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d) (?=\{|(?:\S+ )?\S+ - \S+ \[\d\d\/)/,
  // Syslog headers before JSON, also only time and host (CDNs), and the CEE cookie.
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\S+ \S+ +(?=\{)/,
  /^@cee: ?(?=\{)/,
  // A syslog header from which a shipper has removed the time.
  /^(?:[\w.-]+ )?[A-Za-z][\w./-]*(?:\[\d+\])?: +/,
]
