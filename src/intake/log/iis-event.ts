/** IIS log lines as Windows events in XML, one event per line, with the W3C columns in `Data` elements. */
import { readColumns } from './columns.ts'
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import type { LogRecord } from './record.ts'

export const iisEvent: LineFormat = {
  name: 'iis event',
  reads: (line) => line.startsWith('<Event ') && line.includes('<Data Name="cs-uri-stem">'),
  read,
}

function read(line: string, into: LogRecord, file: FileState): LineOutcome {
  const values = new Map<string, string>()
  for (const [, name, value] of line.matchAll(DATA)) {
    values.set((name as string).toLowerCase(), value as string)
    if (values.size === MAX_VALUES) break
  }
  const outcome = readColumns((name) => unescaped(values.get(name)), into, file, 'plus')
  into.cut_off = !line.includes('</Event>')
  return outcome
}

const DATA = /<Data Name="([^"]*)">([^<]*)<\/Data>/g
/** IIS has a few dozen columns. */
const MAX_VALUES = 256

/** The ampersand is replaced last, so that the result is not read as another entity. */
function unescaped(text: string | undefined): string | undefined {
  if (text === undefined || !text.includes('&')) return text
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'")
  return plain.replaceAll('&amp;', '&')
}
