import type { ImportReceipt } from '#intake/import/receipt.ts'
import { withoutControlCharacters } from '#names.ts'
import { countOf, formatCount, formatSize } from '#quantities.ts'
import { lines } from './output.ts'

const MAX_CRAWLERS = 20
const MAX_OTHER_HOSTS = 5

/** The receipt as text: classes that add up to the lines, then what was stored. */
export function receiptText(receipt: ImportReceipt): string {
  const { files, bytes, seconds, from, to, by_crawler } = receipt
  const ignored = Object.values(receipt.ignored).reduce((sum, count) => sum + count, 0)
  const crawlers = Object.entries(by_crawler)
  const unseen = receipt.malformed - receipt.malformed_samples.length
  return lines(
    `${countOf(files, 'file')}, ${formatSize(bytes)}, ${seconds} s`,
    '',
    countText(receipt.lines, 'lines, of which'),
    countText(
      receipt.stored,
      `stored (${formatCount(receipt.automated_unlabelled)} of them by agents the registry does not know, ${formatCount(receipt.automated_not_counted)} by advertising crawlers, which no answer counts)`,
    ),
    countText(receipt.duplicates, 'stored before'),
    countText(
      receipt.human,
      `human, counted and dropped (${formatCount(receipt.human_without_agent)} of them without a user agent)`,
    ),
    countText(receipt.other_site, 'of hosts outside this site'),
    countText(ignored, 'ignored (server internal and the like)'),
    countText(receipt.malformed, 'unreadable'),
    '',
    from === null ? null : `from ${from} to ${to}`,
    crawlers.length === 0 ? null : 'Crawlers:',
    ...crawlers.slice(0, MAX_CRAWLERS).map(([crawler, count]) => countText(count, crawler)),
    crawlers.length > MAX_CRAWLERS
      ? `              and ${formatCount(crawlers.length - MAX_CRAWLERS)} more, which --json names`
      : null,
    otherHostsText(receipt.other_hosts),
    ...receipt.malformed_samples.map(sampleText),
    unseen === 0 || receipt.malformed_samples.length === 0 ? null : `Unreadable: ${formatCount(unseen)} more`,
  )
}

/** Null where all lines are of the site. */
function otherHostsText(other_hosts: ImportReceipt['other_hosts']): string | null {
  const hosts = Object.entries(other_hosts)
  if (hosts.length === 0) return null
  const named = hosts.slice(0, MAX_OTHER_HOSTS).map(([host, count]) => `${host} ${formatCount(count)}`)
  const more = hosts.length > MAX_OTHER_HOSTS ? ' and others' : ''
  return `Hosts outside this site: ${named.join(', ')}${more}. To count them, import the log under their sites too.`
}

function sampleText({ file, line_number, reason, excerpt }: ImportReceipt['malformed_samples'][number]): string {
  const line = file === undefined ? `line ${line_number}` : `${withoutControlCharacters(file)}, line ${line_number}`
  return `Unreadable: ${line}, ${reason}${excerpt === '' ? '' : `: ${excerpt}`}`
}

function countText(count: number, of: string): string {
  return `${formatCount(count).padStart(12)}  ${of}`
}
