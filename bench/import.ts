/**
 * How fast logs are imported, against programs that only count: `rg -ci` (or `grep -ciE`) with eight bot names, and
 * GoAccess. A combined log with 5 % AI crawlers is generated first, and one of a tenth of its lines, to see that memory
 * does not grow with the file. Every figure is one run; the load average is printed before and after, because it moves
 * them all. Run: npm run bench -- import [million lines, default 20] [folder, kept]
 */
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { generateLog } from './access-log.ts'
import { row } from './figures.ts'

const NAMES = 'gptbot|claudebot|ccbot|amazonbot|oai-searchbot|bytespider|perplexitybot|applebot'
const million = Number(process.argv[2] ?? 20)
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const log = join(folder, `${million}m.log`)
const tenth = join(folder, `${million / 10}m.log`)
const packed = `${log}.gz`
const spoor = new URL('../bin/spoor.mjs', import.meta.url).pathname

try {
  if (!existsSync(log)) await generateLog(log, million * 1_000_000)
  if (!existsSync(tenth)) await generateLog(tenth, million * 100_000)
  if (!existsSync(packed)) await pipeline(createReadStream(log), createGzip({ level: 1 }), createWriteStream(packed))
  console.log(
    `${million} million lines, ${gigabytes(log)} GB, ${gigabytes(packed)} GB packed; ${availableParallelism()} cores, ${load()}\n`,
  )
  console.log(row('command', 'seconds', 'M lines/s', 'peak MB', ''))

  const counted = installed('rg') ? ['rg', '-ci', NAMES] : ['grep', '-ciE', NAMES]
  const search = await time('counting eight names', counted, log)
  const small = await imported('spoor import of a tenth', tenth)
  const plain = await imported('spoor import, the receipt', log)
  await imported('the same lines again', log, plain.data)
  // Once before, so that what is measured is the command as it runs every time but the first.
  spawnSync('node', [spoor, 'site', 'list', '--data', plain.data])
  const site = await time('spoor site list', ['node', spoor, 'site', 'list', '--data', plain.data])
  const searchPacked = installed('rg') ? await time('counting in the .gz', ['rg', '-zci', NAMES], packed) : null
  const gz = await imported('spoor import of the .gz', packed)
  const goaccess = installed('goaccess')
    ? await time(
        'goaccess',
        ['goaccess', '--log-format=COMBINED', '--no-global-config', '-o', join(folder, 'report.json')],
        log,
      )
    : null

  console.log(`\nimport is ${(search / plain.seconds).toFixed(3)} of counting eight names in lines per second`)
  if (goaccess !== null) console.log(`import is ${(goaccess / plain.seconds).toFixed(1)} times goaccess`)
  if (searchPacked !== null)
    console.log(`import of the .gz is ${(searchPacked / gz.seconds).toFixed(3)} of counting in it`)
  console.log(`spoor site list took ${site.toFixed(2)} s`)
  console.log(
    `the peak of the whole file is ${(plain.peak_mb - small.peak_mb).toFixed(0)} MB above that of a tenth of it`,
  )
  console.log(load())
} finally {
  if (process.argv[3] === undefined) rmSync(folder, { recursive: true, force: true })
}

/** Imports into a fresh data folder, or into the one given; figures are the receipt's own. */
async function imported(name: string, file: string, data = mkdtempSync(join(folder, 'data-'))) {
  spawnSync('node', [spoor, 'site', 'add', 'example.com', '--data', data])
  const done = await run(['node', spoor, 'import', file, '--site', 'example.com', '--data', data, '--json'])
  const receipt = JSON.parse(done.output) as ImportReceipt
  console.log(
    row(name, receipt.seconds.toFixed(2), (receipt.lines / receipt.seconds / 1e6).toFixed(2), done.peak_mb, ''),
  )
  return { data, seconds: receipt.seconds, peak_mb: Number(done.peak_mb) }
}

async function time(name: string, command: string[], file?: string): Promise<number> {
  const done = await run(file === undefined ? command : [...command, file])
  const rate = file === undefined ? '' : (million / done.seconds).toFixed(2)
  console.log(row(name, done.seconds.toFixed(2), rate, done.peak_mb, ''))
  return done.seconds
}

/** Runs a program; its peak memory is the sum over its processes' own peaks, as the kernel counts them. */
function run([program = '', ...args]: string[]): Promise<{ seconds: number; output: string; peak_mb: string }> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const output: Buffer[] = []
    const peaks = new Map<number, number>()
    const timer = setInterval(() => {
      if (child.pid !== undefined) notePeaks(child.pid, peaks)
    }, 50)
    child.stdout.on('data', (piece: Buffer) => output.push(piece))
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(timer)
      const seconds = (performance.now() - started) / 1000
      const peak = [...peaks.values()].reduce((sum, value) => sum + value, 0)
      if (code !== 0) reject(new Error(`${program} ended with ${code}`))
      else resolve({ seconds, output: Buffer.concat(output).toString(), peak_mb: peak === 0 ? '' : peak.toFixed(0) })
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
    // The process ended meanwhile, or this is no Linux: then no peak is shown.
  }
}

function load(): string {
  return `load average ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}`
}

function installed(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}

function gigabytes(file: string): string {
  return (statSync(file).size / 1e9).toFixed(2)
}
