/** Returns unused memory of this process to the system: freed blocks of the C library, and the engine's code. */
import { readFileSync, realpathSync } from 'node:fs'
import { libchdbPath } from 'chdb/libchdb'
import koffi from 'koffi'

/** Addresses as in /proc/PID/maps. */
export interface MappedRange {
  from: bigint
  to: bigint
}

/**
 * The memory ranges that map code of a file. Other ranges may have data of the loader, which exists only in memory;
 * code is never written.
 */
export function codeRangesOfFile(maps: string, file: string): MappedRange[] {
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

/** Null if the system or its C library does not have these calls. */
let calls: SystemCalls | null | undefined

const MADV_DONTNEED = 4

/**
 * The system loads memory that is needed again by itself, code from the page cache. The call blocks this thread for
 * about 20 ms, and has an effect only on Linux with glibc.
 */
export function releaseMemory(): void {
  if (calls === undefined) calls = process.platform === 'linux' ? findCalls() : null
  if (calls === null) return
  calls.malloc_trim(0)
  // If it is refused, for example because memory is locked, the range does not change.
  for (const { from, to } of engineCodeRanges()) calls.madvise(from, to - from, MADV_DONTNEED)
}

function engineCodeRanges(): MappedRange[] {
  try {
    return codeRangesOfFile(readFileSync('/proc/self/maps', 'utf8'), realpathSync(libchdbPath()))
  } catch {
    // /proc is not mounted, or an update has removed the library. The release is optional.
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
