/** Gives back memory of this process that nothing needs for now: freed blocks of the C library, the engine's code. */
import { readFileSync, realpathSync } from 'node:fs'
import { libchdbPath } from 'chdb/libchdb'
import koffi from 'koffi'

/** Addresses as in /proc/PID/maps. */
export interface MappedRange {
  from: bigint
  to: bigint
}

/**
 * The ranges that map code of a file. Ranges without the right to execute may hold what the loader wrote, which is
 * nowhere but in memory; code is never written.
 */
export function codeOfFile(maps: string, file: string): MappedRange[] {
  const found: MappedRange[] = []
  for (const line of maps.split('\n')) {
    const [, from, to, path] = CODE.exec(line) ?? []
    if (path === file) found.push({ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`) })
  }
  return found
}

/** Private and executable, not writable; offset, device, inode. The path of a replaced file ends in "(deleted)". */
const CODE = /^([0-9a-f]+)-([0-9a-f]+) r-xp [0-9a-f]+ \S+ [1-9]\d* +(\/.*)$/

interface SystemCalls {
  malloc_trim: (pad: number) => number
  madvise: (address: bigint, length: bigint, advice: number) => number
}

/** Null where the system or its C library has no such calls. */
let calls: SystemCalls | null | undefined

const MADV_DONTNEED = 4

/**
 * What is needed again comes back by itself: code from the page cache, at the next step of a thread through it. Takes
 * some 20 ms of this thread. Only Linux with glibc does anything.
 */
export function releaseMemory(): void {
  if (calls === undefined) calls = process.platform === 'linux' ? findCalls() : null
  if (calls === null) return
  calls.malloc_trim(0)
  // Refused, for example where memory is locked, a range stays as it was.
  for (const { from, to } of engineCode()) calls.madvise(from, to - from, MADV_DONTNEED)
}

function engineCode(): MappedRange[] {
  try {
    return codeOfFile(readFileSync('/proc/self/maps', 'utf8'), realpathSync(libchdbPath()))
  } catch {
    // No /proc is mounted, or an update has removed the library meanwhile: nothing depends on it.
    return []
  }
}

function findCalls(): SystemCalls | null {
  try {
    const library = koffi.load(null)
    return {
      malloc_trim: library.func('int malloc_trim(size_t)'),
      madvise: library.func('int madvise(uintptr_t, size_t, int)'),
    }
  } catch {
    return null
  }
}
