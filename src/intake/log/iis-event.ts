/** IIS log lines as Windows events in XML, one event a line: the columns of W3C under `Data` elements. */
import { readColumns } from './columns.ts'
import type { FileState, LineFormat, Outcome } from './format.ts'
import type { LogRecord } from './record.ts'

export const iisEvent: LineFormat = {
  name: 'iis event',
  reads: (line) => line.startsWith('<Event ') && line.includes('<Data Name="cs-uri-stem">'),
  read,
}

function read(line: string, into: LogRecord, file: FileState): Outcome {
  const values = new Map<string, string>()
  for (const [, name, value] of line.matchAll(/<Data Name="([^"]*)">([^<]*)<\/Data>/g)) {
    values.set((name as string).toLowerCase(), unescaped(value as string))
  }
  return readColumns((name) => values.get(name), into, file, 'plus')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (all, name: string) => ENTITIES[name] ?? all)
}
