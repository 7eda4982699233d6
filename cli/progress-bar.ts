/** How much of a file has been read, for a person at a terminal. */
import { basename } from 'node:path'
import { SingleBar } from 'cli-progress'
import type { ImportProgress } from '#intake/import/import-log.ts'
import { formatCount } from '#quantities.ts'
import { commandHost } from './host/command-host.ts'

export interface ImportBar {
  show(progress: ImportProgress): void
  stop(): void
}

/** A bar on a terminal only; pipes get no escape codes. */
export function terminalBar(format: string): SingleBar | undefined {
  const { stderr } = commandHost()
  return stderr.isTTY ? new SingleBar({ format, stream: stderr, hideCursor: true, clearOnComplete: true }) : undefined
}

/** The bar of an import. `size` in bytes, 0 when unknown: then only lines are counted. */
export function importBar(file: string, size: number): ImportBar | undefined {
  const bar = terminalBar(size > 0 ? `${basename(file)} [{bar}] {percentage}% {lines} lines{left}` : '{lines} lines')
  if (bar === undefined) return undefined
  let started: number | null = null
  return {
    show({ bytes, lines }) {
      const now = performance.now()
      // Time spent waiting for the first bytes, or for another import, says nothing about the rest.
      if (started === null) {
        started = now
        bar.start(size, 0, { lines: 0, left: '' })
      }
      bar.update(bytes, { lines: formatCount(lines), left: timeLeft(now - started, bytes / size) })
    },
    stop: () => bar.stop(),
  }
}

const MIN_ELAPSED_MS = 3_000
const MIN_SHARE = 0.01

/** The estimated time left by the average pace: `, 3 min left`; empty while it is too early to estimate. */
export function timeLeft(elapsed_ms: number, share: number): string {
  if (elapsed_ms < MIN_ELAPSED_MS || share < MIN_SHARE) return ''
  if (share >= 1) return ', storing'
  const seconds = (elapsed_ms * (1 - share)) / share / 1_000
  if (seconds < 10) return ', some seconds left'
  if (seconds < 90) return `, ${10 * Math.round(seconds / 10)} s left`
  if (seconds < 5_400) return `, ${Math.round(seconds / 60)} min left`
  return `, ${Math.round(seconds / 3_600)} h left`
}
