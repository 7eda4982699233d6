import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { addReceipts, type ImportReceipt } from '#intake/import/receipt.ts'
import { coversRange } from '#intake/import/request.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { commandHost, type StopSignal } from './command-host.ts'
import { tellRefusal } from './errors.ts'
import { expandAll, openLogFile, refuseFile } from './log-files.ts'
import { type CommonOptions, configOf, withCommonOptions } from './options.ts'
import { note, printJson } from './output.ts'
import { printReceipt } from './print-receipt.ts'
import { progressBar } from './progress-bar.ts'
import { type Reach, reach } from './reach.ts'
import { onStopSignal } from './stop-signals.ts'

interface ImportOptions extends CommonOptions {
  site: string
  host?: string
  server?: string
  timezone?: string
  partial?: boolean
  covers?: string
}

export function addImportCommand(program: Command): void {
  withCommonOptions(
    program
      .command('import')
      .description('import access logs; repeating an import changes nothing')
      .argument('<file...>', 'log files or globs, plain or compressed (gzip, zstd); - for standard input')
      .requiredOption('--site <site>', 'domain or id of the site')
      .option('--host <host>', 'host of lines that name none (default: the root domain); the log covers this host only')
      .option('--server <name>', "which of the site's servers wrote the log; their logs are kept apart and add up")
      .option('--timezone <zone>', 'zone of times that carry none, for example Europe/Berlin or +02:00 (default: UTC)')
      .option('--partial', 'the log does not hold everything: its time counts as a partial watch')
      .option('--covers <from/to>', 'UTC days that the log covers in full, although no line may show it'),
  ).action(async (patterns: string[], options: ImportOptions) => {
    const watch = watchSignals()
    const way = await reach(configOf(options))
    try {
      await importAll(way, patterns, options, watch)
    } finally {
      await way.close()
      watch.end()
    }
  })
}

interface SignalWatch {
  /** The signal that asked to stop, once one has. */
  asked(): StopSignal | null
  /** The file being read now; a signal breaks its reading off. */
  reading(stream: Readable | null): void
  /** Gives the signals back; ends the process when one has come. */
  end(): void
}

/** A file that is still being read is given up, one that is being written to the facts is finished. */
function watchSignals(): SignalWatch {
  let asked: StopSignal | null = null
  let stream: Readable | null = null
  const release = onStopSignal((signal) => {
    asked = signal
    note('spoor: stopping: a file that is not read to its end is not stored. Once more ends it at once')
    stream?.destroy(interrupted())
  })
  return {
    asked: () => asked,
    reading(next) {
      stream = next
      if (asked !== null) stream?.destroy(interrupted())
    },
    end() {
      release()
      if (asked !== null) commandHost().endBy(asked)
    },
  }
}

function interrupted(): Refusal {
  return new Refusal('not_readable', 'interrupted; nothing of this file was stored')
}

/** Files are imported one by one; one that is refused is told and does not stop the others, but the command fails. */
async function importAll(
  way: Reach,
  patterns: readonly string[],
  options: ImportOptions,
  watch: SignalWatch,
): Promise<void> {
  const { files, unmatched } = expandAll(patterns)
  const alone = patterns.length === 1 && files.length <= 1
  const receipts: ImportReceipt[] = []
  const tell = (file: string, error: Refusal) => {
    if (alone) throw error
    tellRefusal(error, options.json === true, file)
  }
  for (const pattern of unmatched) tell(pattern, new Refusal('not_readable', `no file matches ${pattern}`))
  for (const file of files) {
    try {
      const receipt = await importOne(way, file, options, watch)
      receipts.push(alone ? receipt : namedSamples(receipt, file))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      tell(file, error)
      if (GENERAL.includes(error.kind)) break
    }
    if (watch.asked() !== null) break
  }
  if (receipts.length > 0) {
    const receipt = addReceipts(receipts)
    if (options.json) printJson(receipt)
    else {
      printReceipt(receipt)
      tellHost(receipt, options)
    }
  }
  const all = files.length + unmatched.length
  if (receipts.length < all) {
    throw new Refusal('not_readable', `${all - receipts.length} of ${all} were not imported; the reasons are above`)
  }
}

/** A log of www. that counts for the root domain would leave www. without crawlers, and what is stored keeps its host. */
function tellHost({ without_host, duplicates }: ImportReceipt, { host }: ImportOptions): void {
  const lines = `Note: crawler lines that name no host: ${without_host}.`
  if (without_host > 0 && host === undefined) {
    note(
      `${lines} They count for the root domain itself. If the log is of another host, such as www., name it with --host at its first import.`,
    )
  }
  if (without_host > 0 && host !== undefined && duplicates > 0) {
    note(
      `${lines} Those of them that were stored before keep the host that they were stored with; --host changes new ones only.`,
    )
  }
}

/** What is wrong with the site or the server is wrong for every file. */
const GENERAL: readonly RefusalKind[] = ['site_not_found', 'reader_unavailable', 'store_busy']

async function importOne(way: Reach, file: string, options: ImportOptions, watch: SignalWatch): Promise<ImportReceipt> {
  const { stream, size } = openLogFile(file)
  let unreadable: unknown = null
  stream.once('error', (error) => {
    unreadable = error
  })
  const bar = progressBar(file, size)
  try {
    watch.reading(stream)
    const asked = {
      site: options.site,
      host: options.host ?? null,
      label: file === '-' ? 'standard input' : basename(file),
      ...(options.server === undefined ? {} : { server: options.server }),
      ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
      ...(options.partial ? { partial: true } : {}),
      ...(options.covers === undefined ? {} : { covers: coversRange(options.covers) }),
    }
    return await way.importLog(asked, stream, (progress) => {
      if (progress.waits) note('spoor: another import is under way; this one begins after it')
      else bar?.show(progress)
    })
  } catch (error) {
    throw error === unreadable ? refuseFile(file, error) : error
  } finally {
    watch.reading(null)
    bar?.stop()
    stream.destroy()
  }
}

function namedSamples(receipt: ImportReceipt, file: string): ImportReceipt {
  return { ...receipt, malformed_samples: receipt.malformed_samples.map((sample) => ({ file, ...sample })) }
}
