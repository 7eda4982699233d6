/** The files that an import is given, by name, by pattern or on standard input. */
import { createReadStream, existsSync, globSync, type Stats, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { Refusal } from '#refusal.ts'
import { takeStandardInput } from './standard-input.ts'

/** Shells expand globs; one in quotes arrives here as it is. A name that exists is never taken for a pattern. */
export function expandAll(patterns: readonly string[]): { files: string[]; unmatched: string[] } {
  const unmatched: string[] = []
  const files = patterns.flatMap((pattern) => {
    if (pattern === '-' || !/[*?[{]/.test(pattern) || existsSync(pattern)) return [pattern]
    const found = globSync(pattern).sort()
    if (found.length === 0) unmatched.push(pattern)
    return found
  })
  return { files, unmatched }
}

/** The bytes of a file and their number, 0 when unknown; Refusal(not_readable) says what to do. */
export function openLogFile(file: string): { stream: Readable; size: number } {
  if (file === '-') return { stream: takeStandardInput(), size: 0 }
  const stats = statOf(file)
  if (stats.isDirectory()) {
    throw new Refusal('not_readable', `${file} is a folder: name the files, for example '${file}/*.log'`)
  }
  return { stream: createReadStream(file, { highWaterMark: 1 << 20 }), size: stats.size }
}

function statOf(file: string): Stats {
  try {
    return statSync(file)
  } catch (error) {
    throw refuseFile(file, error)
  }
}

/** Why a file could not be opened or read to its end. */
export function refuseFile(file: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new Refusal('not_readable', `${file} does not exist: check its name`)
  if (code === 'EISDIR') return new Refusal('not_readable', `${file} is a folder: name the files in it`)
  const advice = 'check that it is a file this user may read'
  return new Refusal('not_readable', `${file} cannot be read (${message}): ${advice}, and repeat`)
}
