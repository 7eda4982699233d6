import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { Argument, Option } from 'commander'
import { quoted } from '#foreign-text.ts'
import { refuseCoveredPart } from '#intake/import/import-options.ts'
import { addReceipts, type ImportReceipt } from '#intake/import/receipt.ts'
import { withoutControlCharacters } from '#names.ts'
import { countOf, formatCount, formatSize } from '#quantities.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { rootDomain } from '#sites/root-domain.ts'
import { judgedBy } from '../bad-usage.ts'
import { procedure } from '../command.ts'
import { reportRefusal } from '../errors.ts'
import { type FolderClient, mayCreateIn, openLocated } from '../folder/client.ts'
import { breakOffOnSignal } from '../host/stop-signals.ts'
import { expandAll, refuseFile, refusePattern } from '../input/input-files.ts'
import { LogFile, unreadableLog } from '../input/log-file.ts'
import { flag, option, optional, positional, type Values } from '../input/parameters.ts'
import { readCovers, readHostName, readServer, readTimezone } from '../input/value-forms.ts'
import { note, noteJson, printJson, printLine } from '../output.ts'
import { importBar } from '../progress-bar.ts'
import { receiptText } from '../receipt-text.ts'
import { siteArgument } from './site.ts'

const parameters = {
  site: siteArgument,
  patterns: positional<string[]>(
    new Argument('<file...>', 'log files or globs, plain or compressed (gzip, zstd); - for standard input'),
  ),
  host: optional(
    '--host <host>',
    'host of lines without one (default: the root domain); the log covers this host only',
    readHostName,
  ),
  server: optional(
    '--server <name>',
    "which of the site's servers wrote the log; their logs are stored separately and add up",
    readServer('--server'),
  ),
  // The only value that decisions 1 allows. It exists for scripts; nothing depends on it.
  format: option<'auto' | undefined>(
    new Option('--format <format>', 'format of the lines; it is always detected line by line').choices(['auto']),
  ),
  timezone: optional(
    '--timezone <zone>',
    'time zone of times without one, for example Europe/Berlin or +02:00 (default: UTC)',
    readTimezone,
  ),
  partial: flag('--partial', 'the log is incomplete: its time counts as partial coverage'),
  covers: optional('--covers <from/to>', 'UTC days that the log covers in full, even if no line shows it', readCovers),
}

type ImportInput = Values<typeof parameters>

export const importCommand = procedure(
  'import',
  'import access logs; repeating an import changes nothing',
  parameters,
  async (input, { locate, json }) => {
    judgedBy(() => refuseCoveredPart(input))('')
    // After a signal, a file whose facts are already being stored is still completed.
    const stopping = breakOffOnSignal(
      'stopping: a file that is not read to its end is not stored. Press Ctrl-C again to end at once',
      'interrupted; nothing of this file was stored',
      json,
    )
    const located = await locate()
    const client = await openLocated(located, json, mayCreateIn(located))
    try {
      await importAll(client, input, stopping.signal, json)
    } finally {
      await client.close()
      stopping.end()
    }
  },
)

/**
 * Imports files one by one; a refused one is reported and does not stop the others, but the command fails. Log rotation
 * leaves empty files: they are named, and the command fails only if no file contains a line.
 */
async function importAll(
  client: FolderClient,
  input: ImportInput,
  stopping: AbortSignal,
  json: boolean,
): Promise<void> {
  const { files, unmatched } = expandAll(input.patterns)
  const is_alone = input.patterns.length === 1 && files.length <= 1
  const report = (file: string, error: Refusal) => {
    if (is_alone) throw error
    reportRefusal(error, json, { file })
  }
  refuseUnreadable(input, { files, unmatched }, report)
  const receipts: ImportReceipt[] = []
  let empty = 0
  for (const file of files) {
    try {
      const receipt = await importOne(client, file, input, stopping, json)
      receipts.push(is_alone ? receipt : namedSamples(receipt, file))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.kind === 'empty_log' && !is_alone) {
        empty += 1
        noteEmpty(file, error, json)
      } else report(file, explained(input.site, error))
      if (GENERAL.includes(error.kind)) break
    }
    if (stopping.aborted) break
  }
  if (receipts.length > 0) printReceipt(addReceipts(receipts), input, json)
  refuseMissingFiles({ given: files.length, imported: receipts.length, empty })
}

function printReceipt(receipt: ImportReceipt, input: ImportInput, json: boolean): void {
  if (json) {
    printJson(receipt)
    return
  }
  printLine(receiptText(receipt))
  for (const { message } of receipt.warnings) note(withoutControlCharacters(`Warning: ${message}`))
  noteHost(receipt, input)
}

/** @throws Refusal not_readable: some files were not imported; empty_log: all files are empty. */
function refuseMissingFiles({ given, imported, empty }: { given: number; imported: number; empty: number }): void {
  const left = given - imported - empty
  if (left > 0) {
    throw new Refusal(
      'not_readable',
      `${formatCount(left)} of ${countOf(given, 'file')} ${left === 1 ? 'was' : 'were'} not imported; the reasons are above`,
    )
  }
  if (imported === 0) {
    throw new Refusal('empty_log', `none of ${countOf(given, 'file')} contains a log line: nothing was imported`)
  }
}

function noteEmpty(file: string, { kind, message }: Refusal, json: boolean): void {
  if (json) noteJson({ notice: { kind, message, file } })
  else note(withoutControlCharacters(`Note: ${message}`))
}

/**
 * Checked before anything is stored: a name without a file may be meant as the site, and the logs may be of that site.
 * @throws Refusal not_readable, invalid_input: a named file is not there or cannot be read.
 */
function refuseUnreadable(
  { site, patterns }: ImportInput,
  { files, unmatched }: ReturnType<typeof expandAll>,
  report: (file: string, error: Refusal) => void,
): void {
  const refused = unmatched.map((pattern) => [pattern, refusePattern(pattern)] as const)
  for (const file of files) {
    const error = unreadableLog(file)
    if (error !== null) refused.push([file, explained(site, error)])
  }
  const [first] = refused
  if (first === undefined) return
  const [name] = first
  if (name === patterns[0] && patterns.length > 1 && looksLikeSite(name)) throw givenTwice(name, site)
  for (const [file, error] of refused) report(file, error)
  const all = files.length + unmatched.length
  throw new Refusal(
    'not_readable',
    `nothing was imported: ${formatCount(refused.length)} of ${all} cannot be read; the reasons are above. Correct the names and repeat`,
  )
}

function givenTwice(name: string, site: string): Refusal {
  return new Refusal(
    'invalid_input',
    `${quoted(name)} is not a file; if it is a site, the site is given twice: ${quoted(name)} and ${quoted(site)}. ` +
      'Nothing was imported; name one site, before the files or behind --site',
  )
}

function looksLikeSite(text: string): boolean {
  try {
    rootDomain(text)
    return !text.includes('/')
  } catch {
    return false
  }
}

/** A log of www. that is counted for the root domain leaves www. without crawlers, and stored lines keep their host. */
function noteHost({ without_host, duplicates }: ImportReceipt, { host }: ImportInput): void {
  if (without_host === 0) return
  const lines = `Note: crawler lines without a host: ${formatCount(without_host)}.`
  if (host === undefined) note(`${lines} ${COUNT_FOR_ROOT}`)
  else if (duplicates > 0) note(`${lines} ${KEEP_THEIR_HOST}`)
}

const COUNT_FOR_ROOT =
  'They count for the root domain itself. If the log is from another host, such as www., name it with --host when you first import it.'
const KEEP_THEIR_HOST = 'Lines that were stored before keep their host; --host applies to new ones only.'

const MISSING: readonly RefusalKind[] = ['site_not_found', 'not_readable']
const siteIsFile = (site: string) => statSync(site, { throwIfNoEntry: false })?.isFile() === true

/** The refusal of a file. If the site is a file, the refusal is about the order of the arguments. */
const explained = (site: string, error: Refusal): Refusal =>
  siteIsFile(site) && MISSING.includes(error.kind) ? wrongOrder(site, error) : error

/** Explains that the arguments are swapped, which "no such site" or "no such file" would not. */
function wrongOrder(site: string, cause: Refusal): Refusal {
  const advice = 'the site comes before the log, or behind --site: spoor import SITE FILE'
  return new Refusal('site_not_found', `No site is called ${quoted(site)}, which is a file: ${advice}`, { cause })
}

/** Refusals about the site or the server, which apply to every file. */
const GENERAL: readonly RefusalKind[] = ['site_not_found', 'reader_unavailable', 'store_busy']

const WAITS = 'another import is running; this one starts after it'

async function importOne(
  client: FolderClient,
  file: string,
  input: ImportInput,
  stopping: AbortSignal,
  json: boolean,
): Promise<ImportReceipt> {
  const { patterns: _patterns, format: _format, host = null, covers, ...named } = input
  const log = new LogFile(file)
  const breakOff = () => log.breakOff(stopping.reason)
  if (stopping.aborted) breakOff()
  stopping.addEventListener('abort', breakOff)
  const bar = importBar(file, log.size)
  try {
    const named_as = file === '-' ? { label: 'standard input' } : { label: basename(file), path: file }
    const declared = covers === undefined ? {} : { covers }
    const receipt = await client.importLog({ ...named, host, ...named_as, ...declared }, log, (progress) => {
      if (progress.waits) note(json ? WAITS : `spoor: ${WAITS}`, json)
      else bar?.show(progress)
    })
    return receipt.bytes < log.size ? withTruncation(receipt, file, log.size) : receipt
  } catch (error) {
    throw error === log.error ? refuseFile(file, error) : error
  } finally {
    stopping.removeEventListener('abort', breakOff)
    bar?.stop()
    await log.close()
  }
}

/** A rotation that truncates the log (copytruncate) takes away what was not read yet. */
function withTruncation(receipt: ImportReceipt, file: string, size: number): ImportReceipt {
  const message =
    `${basename(file)}: it was truncated while it was read, after ${formatSize(receipt.bytes)} of ${formatSize(size)}. ` +
    `If its rotation keeps a copy, import that too, for example ${file}.1`
  return { ...receipt, warnings: [...receipt.warnings, { code: 'truncated_while_read', message }] }
}

function namedSamples(receipt: ImportReceipt, file: string): ImportReceipt {
  return { ...receipt, malformed_samples: receipt.malformed_samples.map((sample) => ({ file, ...sample })) }
}
