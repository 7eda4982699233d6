import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { Argument } from 'commander'
import { quoted } from '#foreign-text.ts'
import { coversRange } from '#intake/import/import-options.ts'
import { addReceipts, type ImportReceipt } from '#intake/import/receipt.ts'
import { withoutSteering } from '#names.ts'
import { formatCount } from '#quantities.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { type FolderClient, openLocated } from './client.ts'
import { procedure } from './command.ts'
import { reportRefusal } from './errors.ts'
import { expandAll, refuseFile } from './input-files.ts'
import { LogFile } from './log-file.ts'
import { note, printJson, printLine } from './output.ts'
import { flag, optional, positional, type Values } from './parameters.ts'
import { importBar } from './progress-bar.ts'
import { receiptText } from './receipt-text.ts'
import { siteArgument } from './site.ts'
import { breakOffOnSignal } from './stop-signals.ts'

const parameters = {
  site: siteArgument,
  patterns: positional<string[]>(
    new Argument('<file...>', 'log files or globs, plain or compressed (gzip, zstd); - for standard input'),
  ),
  host: optional(
    '--host <host>',
    'host of lines that name none (default: the root domain); the log covers this host only',
  ),
  server: optional(
    '--server <name>',
    "which of the site's servers wrote the log; their logs are kept apart and add up",
  ),
  timezone: optional(
    '--timezone <zone>',
    'zone of times that carry none, for example Europe/Berlin or +02:00 (default: UTC)',
  ),
  partial: flag('--partial', 'the log does not hold everything: its time counts as partial coverage'),
  covers: optional('--covers <from/to>', 'UTC days that the log covers in full, although no line may show it'),
}

type ImportInput = Values<typeof parameters>

export const importCommand = procedure(
  'import',
  'import access logs; repeating an import changes nothing',
  parameters,
  async (input, { locate, json }) => {
    // A file that is being written to the facts is finished.
    const stopping = breakOffOnSignal(
      'spoor: stopping: a file that is not read to its end is not stored. Press Ctrl-C again to end at once',
      'interrupted; nothing of this file was stored',
    )
    const client = await openLocated(await locate(), json)
    try {
      await importAll(client, input, stopping.signal, json)
    } finally {
      await client.close()
      stopping.end()
    }
  },
)

/** Imports files one by one; a refused one is reported and does not stop the others, but the command fails. */
async function importAll(
  client: FolderClient,
  input: ImportInput,
  stopping: AbortSignal,
  json: boolean,
): Promise<void> {
  const { files, unmatched } = expandAll(input.patterns)
  const is_alone = input.patterns.length === 1 && files.length <= 1
  const receipts: ImportReceipt[] = []
  const report = (file: string, error: Refusal) => {
    if (is_alone) throw error
    reportRefusal(error, json, { file })
  }
  for (const pattern of unmatched) report(pattern, new Refusal('not_readable', `no file matches ${pattern}`))
  for (const file of files) {
    try {
      const receipt = await importOne(client, file, input, stopping)
      receipts.push(is_alone ? receipt : namedSamples(receipt, file))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      report(file, siteIsFile(input.site) && MISSING.includes(error.kind) ? wrongOrder(input.site, error) : error)
      if (GENERAL.includes(error.kind)) break
    }
    if (stopping.aborted) break
  }
  if (receipts.length > 0) {
    const receipt = addReceipts(receipts)
    if (json) printJson(receipt)
    else {
      printLine(receiptText(receipt))
      for (const { message } of receipt.warnings) note(withoutSteering(`Warning: ${message}`))
      noteHost(receipt, input)
    }
  }
  const all = files.length + unmatched.length
  if (receipts.length < all) {
    throw new Refusal('not_readable', `${all - receipts.length} of ${all} were not imported; the reasons are above`)
  }
}

/** A log of www. that counts for the root domain leaves www. without crawlers, and stored lines keep their host. */
function noteHost({ without_host, duplicates }: ImportReceipt, { host }: ImportInput): void {
  if (without_host === 0) return
  const lines = `Note: crawler lines that name no host: ${formatCount(without_host)}.`
  if (host === undefined) note(`${lines} ${COUNT_FOR_ROOT}`)
  else if (duplicates > 0) note(`${lines} ${KEEP_THEIR_HOST}`)
}

const COUNT_FOR_ROOT =
  'They count for the root domain itself. If the log is of another host, such as www., name it with --host at its first import.'
const KEEP_THEIR_HOST =
  'Those of them that were stored before keep the host that they were stored with; --host changes new ones only.'

const MISSING: readonly RefusalKind[] = ['site_not_found', 'not_readable']
const siteIsFile = (site: string) => statSync(site, { throwIfNoEntry: false })?.isFile() === true

/** Explains swapped arguments: a missing site or a missing file would not. */
function wrongOrder(site: string, cause: Refusal): Refusal {
  const advice = 'the site comes before the log, or behind --site: spoor import SITE FILE'
  return new Refusal('site_not_found', `No site is called ${quoted(site)}, which is a file: ${advice}`, { cause })
}

/** What is wrong with the site or the server is wrong for every file. */
const GENERAL: readonly RefusalKind[] = ['site_not_found', 'reader_unavailable', 'store_busy']

async function importOne(
  client: FolderClient,
  file: string,
  input: ImportInput,
  stopping: AbortSignal,
): Promise<ImportReceipt> {
  const { patterns: _patterns, host = null, covers, ...named } = input
  const log = new LogFile(file)
  const breakOff = () => log.breakOff(stopping.reason)
  if (stopping.aborted) breakOff()
  stopping.addEventListener('abort', breakOff)
  const bar = importBar(file, log.size)
  try {
    const label = file === '-' ? 'standard input' : basename(file)
    const declared = covers === undefined ? {} : { covers: coversRange(covers) }
    return await client.importLog({ ...named, host, label, ...declared }, log, (progress) => {
      if (progress.waits) note('spoor: another import is under way; this one begins after it')
      else bar?.show(progress)
    })
  } catch (error) {
    throw error === log.error ? refuseFile(file, error) : error
  } finally {
    stopping.removeEventListener('abort', breakOff)
    bar?.stop()
    await log.close()
  }
}

function namedSamples(receipt: ImportReceipt, file: string): ImportReceipt {
  return { ...receipt, malformed_samples: receipt.malformed_samples.map((sample) => ({ file, ...sample })) }
}
