import { readFileSync } from 'node:fs'

/** How many files this process may have open at once; infinity where there is no limit or the system does not say. */
export function readMaxOpenFiles(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    // Only Linux has this file; elsewhere the limit is not known.
    return Number.POSITIVE_INFINITY
  }
}
