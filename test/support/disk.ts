/** Small disks of a test's own, so that a full and a read-only one are real. They need the right to mount. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTestFolder, removeTestFolder } from './control.ts'

export interface SmallDisk {
  folder: string
  /** Takes all space but so many bytes, or gives it back. */
  fill(leave?: number): void
  empty(): void
  remove(): void
}

/** Why these tests cannot run here; null when they can. */
export const no_mounts = reason(() => memoryDisk(4).remove())
export const no_loops = no_mounts ?? reason(() => fileDisk(8).remove())

/** A disk in memory of so many MiB. */
export function memoryDisk(mib: number): SmallDisk & { remount(how: 'ro' | 'rw'): void } {
  const folder = makeTestFolder()
  run('mount', '-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder)
  return {
    ...disk(folder, () => removeTestFolder(folder)),
    remount: (how) => run('mount', '-o', `remount,${how}`, folder),
  }
}

/**
 * A disk in a file; `fail` makes it read-only the way a kernel does that finds a fault, under processes that have files
 * open.
 */
export function fileDisk(mib: number): SmallDisk & { fail(): void; repair(): void } {
  const outside = makeTestFolder()
  const image = join(outside, 'image')
  const folder = join(outside, 'disk')
  mkdirSync(folder)
  run('truncate', '-s', `${mib}M`, image)
  run('mkfs.ext4', '-q', '-F', image)
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, folder)
  mount()
  const device = () => run('findmnt', '-no', 'SOURCE', folder).trim().split('/').at(-1) as string
  const fault = () => `/sys/fs/ext4/${device()}/trigger_fs_error`
  try {
    if (!existsSync(fault())) throw new Error('this kernel cannot make a disk fail')
  } catch (error) {
    run('umount', folder)
    throw error
  }
  return {
    ...disk(folder, () => removeTestFolder(outside)),
    fail: () => writeFileSync(fault(), '1'),
    repair() {
      run('umount', folder)
      try {
        run('e2fsck', '-fy', image)
      } catch {
        // Its exit code says that it mended something.
      }
      mount()
    },
  }
}

function disk(folder: string, remove: () => void): SmallDisk {
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill(leave = 0) {
      rmSync(ballast, { force: true })
      // The engine may take or give back space meanwhile, so that a measure can be out of date when it is used.
      for (let attempt = 0; attempt < 20; attempt++) {
        const { bavail, bsize } = statfsSync(folder)
        try {
          run('fallocate', '-l', String(bavail * bsize - leave), ballast)
          return
        } catch {
          rmSync(ballast, { force: true })
        }
      }
      throw new Error(`${folder} cannot be filled.`)
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      run('umount', '-l', folder)
      remove()
    },
  }
}

function reason(attempt: () => void): string | null {
  try {
    attempt()
    return null
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] as string) : String(error)
  }
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
