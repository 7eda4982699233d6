import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { decompress } from '#intake/log/decompress.ts'
import { LogFile } from '../../../cli/input/log-file.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const folder = makeTestFolder()
afterAll(() => removeTestFolder(folder))

/** Longer than a chunk, and no two chunks alike. */
const text = Array.from({ length: 400_000 }, (_, n) => `line ${n}`).join('\n')

function logOf(name: string, bytes: Buffer): LogFile {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return new LogFile(path)
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk))
  return Buffer.concat(pieces).toString('latin1')
}

/** Opening a pipe for writing fails while it has no reader. */
function openedForWriting(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch {
    return false
  }
}

describe('a log file', () => {
  test('is the same bytes as a stream and as chunks, plain and packed', async () => {
    const plain = logOf('a.log', Buffer.from(text))
    expect(plain.size).toBe(text.length)
    expect((await textOf(plain.chunks())) === text).toBe(true)
    expect((await textOf(logOf('a.log', Buffer.from(text)).stream())) === text).toBe(true)
    const noise = Buffer.from(
      Array.from({ length: 600_000 }, (_, n) => Math.imul(n, 0x9e3779b1).toString(36)).join('\n'),
    )
    const packed = logOf('a.log.gz', gzipSync(noise, { level: 1 }))
    expect(packed.size).toBeGreaterThan(2 << 20)
    const unpacked = await textOf(decompress(packed.chunks() as AsyncIterable<Buffer>, { name: 'a.log.gz' }))
    expect(unpacked === noise.toString('latin1')).toBe(true)
  })

  test('that is broken off fails with the reason, before its first chunk and after it', async () => {
    const early = logOf('b.log', Buffer.from(text))
    early.breakOff(new Error('stopped'))
    await expect(textOf(early.chunks())).rejects.toThrow('stopped')
    const late = logOf('b.log', Buffer.from(text))
    const reading = async () => {
      for await (const _ of late.chunks()) late.breakOff(new Error('stopped'))
    }
    await expect(reading()).rejects.toThrow('stopped')
    expect(late.error).toMatchObject({ message: 'stopped' })
  })

  test.each(['stream', 'chunks'] as const)(
    'as a named pipe without a writer is broken off at once (%s)',
    async (how) => {
      const path = join(folder, `${how}.pipe`)
      execFileSync('mkfifo', [path])
      const pipe = new LogFile(path)
      const reading = textOf(pipe[how]())
      pipe.breakOff(new Error('stopped'))
      await expect(reading).rejects.toThrow('stopped')
      expect(pipe.error).toMatchObject({ message: 'stopped' })
      // Ends the wait of the thread that opens it.
      await expect.poll(() => openedForWriting(path)).toBe(true)
      await pipe.close()
    },
  )

  test.each(['stream', 'chunks'] as const)(
    'as a named pipe is read until its writer has closed it (%s)',
    async (how) => {
      const path = join(folder, `${how}-written.pipe`)
      execFileSync('mkfifo', [path])
      const [read] = await Promise.all([textOf(new LogFile(path)[how]()), writeFile(path, text)])
      expect(read === text).toBe(true)
    },
  )

  test('is closed even if its reader left off in the middle', async () => {
    const open_files = () => readdirSync('/proc/self/fd').length
    const before = open_files()
    const log = logOf('d.log', Buffer.from(text))
    await log.chunks()[Symbol.asyncIterator]().next()
    expect(open_files()).toBe(before + 1)
    await log.close()
    expect(open_files()).toBe(before)
  })

  test('that cannot be opened fails when it is read', async () => {
    const log = logOf('c.log', Buffer.from(text))
    removeTestFolder(join(folder, 'c.log'))
    await expect(textOf(log.chunks())).rejects.toThrow('ENOENT')
    expect(log.error).toMatchObject({ code: 'ENOENT' })
    expect(() => new LogFile(folder)).toThrow(/is a folder/)
    expect(() => new LogFile(join(folder, 'c.log'))).toThrow(/does not exist/)
  })
})
