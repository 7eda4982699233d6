import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type DecompressOptions, decompress } from '#intake/log/decompress.ts'
import { Refusal } from '#refusal.ts'
import { chunked, gather } from './read-lines.ts'

const text = Array.from({ length: 4000 }, (_, at) => `line ${at * 7919} of a log\n`).join('')
const plain = Buffer.from(text)

async function unpack(bytes: Buffer, size = 1000, more: Partial<DecompressOptions> = {}): Promise<string> {
  const pieces = await gather(decompress(chunked(bytes, size), { name: 'access.log.gz', ...more }))
  return Buffer.concat(pieces).toString()
}

async function refusal(bytes: Buffer, size = 1000): Promise<string> {
  const error = await unpack(bytes, size).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Refusal)
  expect((error as Refusal).kind).toBe('not_readable')
  expect((error as Refusal).message).toContain('access.log.gz')
  return (error as Refusal).message
}

describe('compression is recognized by content', () => {
  test.each([1, 7, 1000, 1_000_000])('gzip, zstd and plain bytes give the same text in chunks of %i', async (size) => {
    expect(await unpack(gzipSync(plain), size)).toBe(text)
    expect(await unpack(zstdCompressSync(plain), size)).toBe(text)
    expect(await unpack(plain, size)).toBe(text)
  })

  test('several gzip members and several zstd frames are one file', async () => {
    expect(await unpack(Buffer.concat([gzipSync('one\n'), gzipSync('two\n'), gzipSync('')]))).toBe('one\ntwo\n')
    expect(
      await unpack(Buffer.concat([zstdCompressSync(Buffer.from('one\n')), zstdCompressSync(Buffer.from('two\n'))])),
    ).toBe('one\ntwo\n')
  })

  test.each([0x50, 0x5f])('zstd may begin with a frame to skip, as pzstd writes it (first byte %i)', async (first) => {
    const skipped = Buffer.from([first, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 0x21, 0, 0, 0])
    const one = Buffer.concat([skipped, zstdCompressSync(plain)])
    for (const size of [1, 7, 1_000_000]) expect(await unpack(one, size)).toBe(text)
    expect(await unpack(Buffer.concat([one, one]))).toBe(text + text)
    expect(await unpack(skipped)).toBe('')
    expect(await refusal(one.subarray(0, 60))).toMatch(/truncated/)
    expect(await refusal(Buffer.concat([skipped, plain]))).toMatch(/is corrupt/)
  })

  test('an empty file and the gzip of an empty file are empty', async () => {
    expect(await unpack(Buffer.alloc(0))).toBe('')
    expect(await unpack(gzipSync(''))).toBe('')
  })

  test('a truncated stream is refused as truncated, wherever it ends', async () => {
    for (const packed of [gzipSync(plain), zstdCompressSync(plain)]) {
      for (const size of [packed.length - 1, packed.length >> 1, 12]) {
        expect(await refusal(packed.subarray(0, size))).toMatch(/truncated; copy the file again/)
      }
    }
  })

  test('a corrupt stream is refused as corrupt', async () => {
    const packed = gzipSync(plain)
    packed.fill(0x55, 2000, 2100)
    expect(await refusal(packed)).toMatch(/is corrupt/)
  })

  test('zstd that needs more memory than is allowed is refused with the command that unpacks it', async () => {
    // A frame with a window of 1 GiB, as `zstd --long=30` writes it, and one raw block of a byte.
    const long = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa0, 0x09, 0, 0, 0x0a])
    expect(await refusal(long)).toMatch(/more than 128 MiB of memory to be unpacked.*unpack it first/)
    const window_of_128_mib = Buffer.from(long)
    window_of_128_mib[5] = 0x88
    expect(await unpack(window_of_128_mib)).toBe('\n')
  })

  test('bytes behind the last member are refused, zero padding is not', async () => {
    for (const size of [10, 1_000_000]) {
      expect(await refusal(Buffer.concat([gzipSync(plain), Buffer.from('tail')]), size)).toMatch(/is corrupt/)
      expect(await refusal(Buffer.concat([zstdCompressSync(plain), Buffer.from('tail')]), size)).toMatch(/is corrupt/)
      expect(await unpack(Buffer.concat([gzipSync(plain), Buffer.alloc(512)]), size)).toBe(text)
    }
  })

  test('other compressions and archives are refused with their name and what to do', async () => {
    const tar = Buffer.alloc(1024)
    tar.write('ustar', 257)
    expect(await refusal(Buffer.from('BZh91AY&SY'))).toMatch(/bunzip2/)
    expect(await refusal(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]))).toMatch(/unxz/)
    expect(await refusal(Buffer.from('PK\x03\x04rest'))).toMatch(/unzip/)
    expect(await refusal(tar)).toMatch(/tar archive/)
    expect(await refusal(gzipSync(tar))).toMatch(/tar archive/)
    expect(await refusal(gzipSync(gzipSync(plain)))).toMatch(/compressed twice/)
  })

  test('binary files and UTF-16 text are refused, foreign letters are not', async () => {
    expect(await refusal(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))).toMatch(
      /binary file/,
    )
    expect(await refusal(gzipSync(Buffer.alloc(5000)))).toMatch(/binary file/)
    expect(await refusal(Buffer.from('\ufefflog', 'utf16le'))).toMatch(/UTF-16/)
    expect(await unpack(Buffer.from([0xac, 0xb0, 0xa8, 0xe4, 0x0a]))).toHaveLength(5)
  })

  test('a log that begins with NUL bytes is refused with the command that removes them', async () => {
    expect(await refusal(Buffer.concat([Buffer.alloc(5000), plain]))).toMatch(/NUL bytes, .*truncated \(copytruncate\)/)
    expect(await refusal(Buffer.from([0, 0, 1, 0, 1, 0]))).toMatch(/binary file/)
  })

  test('the compressed bytes read are reported', async () => {
    const packed = gzipSync(plain)
    let read = 0
    await unpack(packed, 1000, { on_read: (bytes) => (read += bytes) })
    expect(read).toBe(packed.length)
  })

  test('a file that decompresses beyond the limit is refused long before its end', async () => {
    const limits = { max_bytes: 40_000_000, free_bytes: 2_000_000, max_times: 500 }
    const taken = async (bytes: Buffer) => {
      let decoded = 0
      const reading = async () => {
        for await (const piece of decompress(chunked(bytes, 1000), { name: 'access.log.gz', limits }))
          decoded += piece.length
      }
      const error = await reading().catch((caught: unknown) => caught)
      return { decoded, error }
    }
    for (const pack of [gzipSync, zstdCompressSync]) {
      const bomb = await taken(pack(Buffer.alloc(50_000_000, 'a\n')))
      expect(bomb.error).toBeInstanceOf(Refusal)
      expect(bomb.error).toMatchObject({ message: expect.stringMatching(/more than 500 times its size.* -d\)/) })
      expect(bomb.decoded).toBeLessThan(3_000_000)
      // Just as dense, but small enough to be no harm.
      expect(await taken(pack(Buffer.alloc(1_900_000, 'a\n')))).toEqual({ decoded: 1_900_000, error: undefined })
    }
    const long = await taken(gzipSync(plain.toString().repeat(1_000)))
    expect(long.error).toMatchObject({ kind: 'not_readable', message: expect.stringMatching(/split the log/) })
    expect(long.decoded).toBeGreaterThan(39_000_000)
  })

  test('an error of the source itself is passed on unchanged', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield gzipSync(plain).subarray(0, 9000)
      throw new Error('disk gone')
    }
    const all = gather(decompress(failing(), { name: 'x' }))
    await expect(all).rejects.toThrow('disk gone')
  })
})
