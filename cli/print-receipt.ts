import type { ImportReceipt } from '#intake/import/receipt.ts'
import { withoutSteering } from '#names.ts'
import { note, printLine } from './output.ts'

const MOST_CRAWLERS = 20

/** The receipt as text: classes that add up to the lines, then what was stored. */
export function printReceipt(receipt: ImportReceipt): void {
  const ignored = Object.values(receipt.ignored).reduce((sum, count) => sum + count, 0)
  printLine(
    `${receipt.files === 1 ? '1 file' : `${receipt.files} files`}, ${number(receipt.bytes)} bytes, ${receipt.seconds} s`,
  )
  printLine()
  printCount(receipt.lines, 'lines, of which')
  printCount(
    receipt.stored,
    `stored (${number(receipt.automated_unlabelled)} of them by agents the registry does not know, ${number(receipt.automated_not_counted)} by advertising crawlers, which no answer counts)`,
  )
  printCount(receipt.duplicates, 'stored before')
  printCount(
    receipt.human,
    `human, counted and dropped (${number(receipt.human_without_agent)} of them without a user agent)`,
  )
  printCount(receipt.other_site, 'of hosts outside this site')
  printCount(ignored, 'ignored (server internal and the like)')
  printCount(receipt.malformed, 'unreadable')
  printLine()
  if (receipt.from !== null) printLine(`from ${receipt.from} to ${receipt.to}`)
  const crawlers = Object.entries(receipt.by_crawler)
  if (crawlers.length > 0) printLine('Crawlers:')
  for (const [crawler, count] of crawlers.slice(0, MOST_CRAWLERS)) printCount(count, crawler)
  if (crawlers.length > MOST_CRAWLERS) printLine(`  and ${crawlers.length - MOST_CRAWLERS} more: see --json`)
  for (const sample of receipt.malformed_samples) {
    const place =
      sample.file === undefined
        ? `line ${sample.line_number}`
        : `${withoutSteering(sample.file)}, line ${sample.line_number}`
    printLine(`Unreadable: ${place}, ${sample.reason}${sample.excerpt === '' ? '' : `: ${sample.excerpt}`}`)
  }
  for (const warning of receipt.warnings) note(withoutSteering(`Warning: ${warning.message}`))
}

function printCount(count: number, of: string): void {
  printLine(`${number(count).padStart(12)}  ${of}`)
}

function number(value: number): string {
  return value.toLocaleString('en')
}
