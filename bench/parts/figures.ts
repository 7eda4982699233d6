/** Arithmetic and layout of measured figures. */
import { existsSync, readFileSync } from 'node:fs'

/** Nearest-rank percentile; the 99th of fewer than 100 values is the largest. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length))
  return sorted[rank - 1] as number
}

/**
 * The share of this machine's processor time that other machines on the same hardware take from now on, in percent; a
 * run with much of it is unreliable. Null if the kernel does not report it (proc_stat(5), `steal`).
 */
export function watchStolen(): () => number | null {
  const since = readJiffies()
  return () => {
    const now = readJiffies()
    if (since === null || now === null || now.all === since.all) return null
    return (100 * (now.stolen - since.stolen)) / (now.all - since.all)
  }
}

function readJiffies(): { all: number; stolen: number } | null {
  if (!existsSync('/proc/stat')) return null
  // cpu user nice system idle iowait irq softirq steal; guests are in `user` already.
  const [, ...jiffies] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] as string).split(/\s+/).map(Number)
  const counted = jiffies.slice(0, 8)
  return { all: counted.reduce((sum, each) => sum + each, 0), stolen: counted[7] as number }
}

const WIDTHS = [36, 9, 10, 12, 14, 15, 12, 12]

/** One line of a table of figures. */
export function row(...cells: readonly (string | number)[]): string {
  return cells
    .map((cell, column) =>
      column === 0 ? String(cell).padEnd(WIDTHS[0] as number) : String(cell).padStart(WIDTHS[column] as number),
    )
    .join('')
}
