/** IIS's own format: comma-separated, in local time, and without a user agent, so no crawler can be recognized. */
import type { LineFormat } from './format.ts'

export const iisNative: LineFormat = {
  name: 'iis native',
  reads: (line) => /^[\d.:A-Fa-f]+, [^,]*, \d{1,2}\/\d{1,2}\/\d{2,4}, \d{1,2}:\d\d:\d\d, [^,]*, /.test(line),
  read: () => 'no_user_agent',
}
