/**
 * How fast logs are imported, compared with programs that only count: `rg -ci` (or `grep -ciE`) with eight bot names,
 * and GoAccess, which gets a tenth of the lines. Combined logs with 5, 15, 50 and 100 % crawlers are generated, and one
 * with a tenth of the lines, to show that memory does not grow with the file. Every figure is one run of a whole
 * command; the load average is printed before and after, because it affects all of them.
 * If shares are given, only these are imported, once each, to compare two versions side by side.
 * Run: npm run bench -- import [million lines, default 20] [folder, kept] [shares, such as 5,15]
 */
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { generateLog } from './parts/access-log.ts'
import { row } from './parts/figures.ts'

const NAMES = 'gptbot|claudebot|ccbot|amazonbot|oai-searchbot|bytespider|perplexitybot|applebot'
const million = Number(process.argv[2] ?? 20)
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const tenth = join(folder, 'tenth.log')
const spoor = new URL('../bin/spoor.mjs', import.meta.url).pathname
const [, , , , chosen_shares] = process.argv
const is_whole_run = chosen_shares === undefined
const SHARES = is_whole_run ? [0.05, 0.15, 0.5, 1] : chosen_shares.split(',').map((percent) => Number(percent) / 100)

try {
  mkdirSync(folder, { recursive: true })
  if (is_whole_run && !existsSync(tenth)) await generateLog(tenth, million * 100_000)
  console.log(`${million} million lines; ${availableParallelism()} cores, ${load()}\n`)
  console.log(row('command', 'seconds', 'M lines/s', 'peak MB', 'of rg'))
  const goaccess = is_whole_run && isInstalled('goaccess') ? await countByGoAccess() : null
  if (is_whole_run) await importLog('spoor import of a tenth', tenth, { part: 0.1 })
  for (const share of SHARES) {
    const log = join(folder, `${100 * share}-percent.log`)
    if (!existsSync(log)) await generateLog(log, million * 1_000_000, share)
    const search_seconds = await countNames(`counting names, ${100 * share} % crawlers`, log)
    const plain = await importLog(`spoor import, ${100 * share} % crawlers`, log, { search_seconds })
    if (goaccess !== null) console.log(`  ${((10 * goaccess) / plain.seconds).toFixed(1)} times goaccess`)
    if (is_whole_run && share === SHARES[0]) await importAgainAndPacked(log, plain.data)
    if (process.argv[3] === undefined) rmSync(log)
    rmSync(plain.data, { recursive: true })
  }
  console.log(load())
} finally {
  if (process.argv[3] === undefined) rmSync(folder, { recursive: true, force: true })
}

/** Seconds for a tenth of the lines. */
function countByGoAccess(): Promise<number> {
  const report = join(folder, 'report.json')
  const command = ['goaccess', '--log-format=COMBINED', '--no-global-config', '-o', report, tenth]
  return timeCommand('goaccess, a tenth', command, { part: 0.1 })
}

async function importAgainAndPacked(log: string, data: string): Promise<void> {
  await importLog('the same lines again', log, { data })
  const packed = `${log}.gz`
  await pipeline(createReadStream(log), createGzip({ level: 1 }), createWriteStream(packed))
  const search_seconds = isInstalled('rg') ? await countNames('counting in the .gz', packed, ['-z']) : undefined
  const { data: other } = await importLog('spoor import of the .gz', packed, { search_seconds })
  for (const each of [packed, other]) rmSync(each, { recursive: true })
}

/** Seconds of a program that only counts the lines with names of bots. */
function countNames(name: string, file: string, options: readonly string[] = []): Promise<number> {
  const search = isInstalled('rg') ? ['rg', ...options, '-ci', NAMES] : ['grep', '-ciE', NAMES]
  return timeCommand(name, [...search, file])
}

interface ImportRun {
  /** The share of the lines that the log has. */
  part?: number
  /** Seconds of the program that only counts. */
  search_seconds?: number | undefined
  /** By default a fresh folder. */
  data?: string
}

/** Imports a log; the figures are of the whole command. */
async function importLog(name: string, file: string, given: ImportRun) {
  const { part = 1, search_seconds, data = mkdtempSync(join(folder, 'data-')) } = given
  spawnSync('node', [spoor, 'site', 'add', 'example.com', '--data', data])
  const command = ['node', spoor, 'import', file, '--site', 'example.com', '--data', data, '--json']
  const { seconds, peak_mb } = await run(command)
  const of_rg = search_seconds === undefined ? '' : (search_seconds / seconds).toFixed(3)
  console.log(row(name, seconds.toFixed(2), rate(part, seconds), peak_mb, of_rg))
  return { data, seconds }
}

async function timeCommand(name: string, command: string[], { part = 1 }: { part?: number } = {}): Promise<number> {
  const { seconds, peak_mb } = await run(command)
  console.log(row(name, seconds.toFixed(2), rate(part, seconds), peak_mb, ''))
  return seconds
}

/** Million lines a second. */
function rate(part: number, seconds: number): string {
  return ((part * million) / seconds).toFixed(2)
}

/** Runs a program; its peak memory is the sum over its processes' own peaks, as the kernel counts them. */
function run([program = '', ...args]: string[]): Promise<{ seconds: number; peak_mb: string }> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    // The output is read although it is not used, because grep would stop at its first match without a reader.
    child.stdout.resume()
    const peaks = new Map<number, number>()
    const timer = setInterval(() => {
      if (child.pid !== undefined) notePeaks(child.pid, peaks)
    }, 50)
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(timer)
      const seconds = (performance.now() - started) / 1000
      const peak = [...peaks.values()].reduce((sum, value) => sum + value, 0)
      if (code !== 0) reject(new Error(`${program} ended with ${code}`))
      else resolve({ seconds, peak_mb: peak === 0 ? '' : peak.toFixed(0) })
    })
  })
}

function notePeaks(pid: number, peaks: Map<number, number>): void {
  try {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    if (peak !== null) peaks.set(pid, Number(peak[1]) / 1024)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    for (const child of children === '' ? [] : children.split(' ')) notePeaks(Number(child), peaks)
  } catch {
    // The process has ended, or the system is not Linux: then no peak is shown.
  }
}

function load(): string {
  return `load average ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}`
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}
