/** Describes a file that is not a backup, and how to unpack a compressed one. */
import { closeSync, openSync, readSync } from 'node:fs'
import { Refusal } from '#refusal.ts'

/** The first bytes of compressed files, and commands that unpack them. */
const COMPRESSED: readonly { begin: string; name: string; unpacker: string }[] = [
  { begin: '1f8b', name: 'gzip', unpacker: 'gunzip --keep' },
  { begin: '28b52ffd', name: 'zstd', unpacker: 'unzstd' },
  { begin: 'fd377a585a00', name: 'xz', unpacker: 'unxz --keep' },
  { begin: '425a68', name: 'bzip2', unpacker: 'bunzip2 --keep' },
]

/** The refusal of a file that is not a backup. */
export function foreignFile(file: string): Refusal {
  const begin = firstBytes(file).toString('hex')
  const compressed = COMPRESSED.find((one) => begin.startsWith(one.begin))
  if (compressed !== undefined) {
    const { name, unpacker } = compressed
    return new Refusal(
      'not_readable',
      `${file} is compressed (${name}): unpack it (${unpacker} ${file}), and restore the file that comes out`,
    )
  }
  return new Refusal('not_readable', `${file} is not a backup made by Spoor: name a file that {next} has made`, {
    next: { step: 'back_up' },
  })
}

function firstBytes(file: string): Buffer {
  const bytes = Buffer.alloc(8)
  const opened = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(opened, bytes))
  } finally {
    closeSync(opened)
  }
}
