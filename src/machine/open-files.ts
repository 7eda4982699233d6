import { readFileSync } from 'node:fs'

/** The limit on open files of this process; Infinity if there is none or the system does not report it. */
export function readMaxOpenFiles(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    // Only Linux has this file; elsewhere the limit is not known.
    return Number.POSITIVE_INFINITY
  }
}
