import { statfs } from 'node:fs/promises'

const GIB = 1024 ** 3

export interface FreeSpace {
  free_bytes: number
  /** An insert that would leave less is refused, because a full disk makes even DROP fail. */
  reserve_bytes: number
}

/** Free space on the volume of a folder, and how much of it must stay free: 1 GiB, on small volumes 5 %. */
export async function readFreeSpace(folder: string): Promise<FreeSpace> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { free_bytes: bavail * bsize, reserve_bytes: Math.min(GIB, Math.floor((blocks * bsize) / 20)) }
}
