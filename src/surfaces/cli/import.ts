import { createReadStream, globSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { addReceipts, type Receipt } from '#intake/import/receipt.ts'
import { Refusal } from '#refusal.ts'
import { type CommonOptions, configOf, withCommonOptions } from './options.ts'
import { note, printJson } from './output.ts'
import { printReceipt } from './print-receipt.ts'
import { type Reach, reach } from './reach.ts'

interface ImportOptions extends CommonOptions {
  site: string
  host?: string
}

export function addImportCommand(program: Command): void {
  withCommonOptions(
    program
      .command('import')
      .description('import access logs; repeating an import changes nothing')
      .argument('<file...>', 'log files or globs, plain or compressed (gzip, zstd); - for standard input')
      .requiredOption('--site <site>', 'domain or id of the site')
      .option(
        '--host <host>',
        'host of lines that name none (default: the root domain); the log covers this host only',
      ),
  ).action(async (patterns: string[], options: ImportOptions) => {
    const files = patterns.flatMap(expand)
    const way = await reach(configOf(options))
    try {
      await importAll(way, files, options)
    } finally {
      await way.close()
    }
  })
}

/** Files are imported one by one; one that is refused is told and does not stop the others, but the command fails. */
async function importAll(way: Reach, files: readonly string[], options: ImportOptions): Promise<void> {
  const receipts: Receipt[] = []
  const failures: string[] = []
  for (const file of files) {
    try {
      const receipt = await importOne(way, file, options)
      receipts.push(files.length === 1 ? receipt : namedSamples(receipt, file))
    } catch (error) {
      if (!(error instanceof Refusal) || files.length === 1) throw error
      failures.push(`${file}: ${error.message}`)
      note(`spoor: ${file}: ${error.message}`)
    }
  }
  if (receipts.length > 0) {
    const receipt = addReceipts(receipts)
    if (options.json) printJson(receipt)
    else printReceipt(receipt)
  }
  if (failures.length > 0) {
    throw new Refusal(
      'not_readable',
      `${failures.length} of ${files.length} files were not imported; the reasons are above`,
    )
  }
}

async function importOne(way: Reach, file: string, options: ImportOptions): Promise<Receipt> {
  const { stream, size } = open(file)
  const bar = progressBar(file, size)
  try {
    const asked = {
      site: options.site,
      host: options.host ?? null,
      label: file === '-' ? 'standard input' : basename(file),
    }
    return await way.importLog(asked, stream, (progress) => bar?.update(progress.bytes, { lines: progress.lines }))
  } finally {
    bar?.stop()
    stream.destroy()
  }
}

function open(file: string): { stream: Readable; size: number } {
  if (file === '-') return { stream: process.stdin, size: 0 }
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) throw new Refusal('not_readable', `${file} does not exist`)
  if (stats.isDirectory()) {
    throw new Refusal('not_readable', `${file} is a folder: name the files, for example '${file}/*.log'`)
  }
  return { stream: createReadStream(file, { highWaterMark: 1 << 20 }), size: stats.size }
}

/** Shells expand globs; one in quotes arrives here as it is. A name that exists is never taken for a pattern. */
function expand(pattern: string): string[] {
  if (pattern === '-' || !/[*?[{]/.test(pattern) || statSync(pattern, { throwIfNoEntry: false })) return [pattern]
  const found = globSync(pattern).sort()
  if (found.length === 0) throw new Refusal('not_readable', `no file matches ${pattern}`)
  return found
}

/** A bar on a terminal only; pipes get no escape codes. */
function progressBar(file: string, size: number): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined
  const format =
    size > 0 ? `${basename(file)} [{bar}] {percentage}% {lines} lines, {eta_formatted} left` : `{lines} lines`
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true })
  bar.start(size, 0, { lines: 0 })
  return bar
}

function namedSamples(receipt: Receipt, file: string): Receipt {
  return { ...receipt, malformed_samples: receipt.malformed_samples.map((sample) => ({ file, ...sample })) }
}
