import { createReadStream, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readTar, type TarContent, tarBytes, writeTar } from '#backup/tar.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

/** A name that fills both of the header's fields for names. */
const LONG = `evidence/requests/${'f'.repeat(90)}/data.bin`

async function* each(files: readonly TarContent[]) {
  yield* files
}

const file = (name: string, content: string | Buffer): TarContent => {
  const bytes = Buffer.from(content)
  return { name, size: bytes.length, bytes: [bytes] }
}

const archiveOf = (...files: TarContent[]): Promise<Buffer> => buffer(writeTar(each(files), 0))

/** Names and contents; the bytes come in pieces of this many. */
async function read(archive: Buffer, piece = archive.length): Promise<[string, Buffer][]> {
  const pieces = Array.from({ length: Math.ceil(archive.length / piece) }, (_, at) =>
    archive.subarray(at * piece, (at + 1) * piece),
  )
  const found: [string, Buffer][] = []
  for await (const { name, size, bytes } of readTar(Readable.from(pieces))) {
    const content = await buffer(bytes)
    expect(content.length).toBe(size)
    found.push([name, content])
  }
  return found
}

test.each([1 << 20, 1_000, 511])(
  'files of every size come back as they were, read %i bytes at a time',
  async (piece) => {
    const files = [0, 1, 511, 512, 513, 1_024, 200_000].map((size) =>
      file(`${size}.bin`, Buffer.alloc(size, `${size}`)),
    )
    const archive = await archiveOf(...files, file(LONG, 'long'))
    expect(archive.length).toBe(tarBytes([...files, { size: 4 }].map(({ size }) => size)))
    expect(await read(archive, piece)).toEqual([
      ...files.map(({ name, bytes }) => [name, Buffer.concat([...(bytes as Buffer[])])]),
      [LONG, Buffer.from('long')],
    ])
  },
)

test('an archive that an earlier release wrote is read', async () => {
  const written =
    'H4sIAAAAAAACA+3WTQ6CMBAF4B6lJ4BX6M95qgxJTahKi5EY727iTl2wKoE43+YtZzF5kxl8DD2lXJ3SOYoyAMAC78RvAmik0qbRzkEDEgrGQUiIFUwp+1FglVkb9HgK9sf6YurOZ18dQlzqv1ItPvvfGli78/7TLXQUj1SPdJ0o5bTN/d8ZK4Av6z7QcMlz4RnL/9/X/YdT2vL/xxhjJb0AVrf/cQAQAAA='
  const found = await read(gunzipSync(Buffer.from(written, 'base64')))
  expect(found.map(([name, bytes]) => [name, bytes.toString()])).toEqual([
    ['manifest.json', '{}'],
    [LONG, 'x'.repeat(600)],
    ['empty', ''],
  ])
})

test('sizes past 8 GiB are written and read', async () => {
  const size = 9 * 2 ** 30
  const endless = (async function* () {
    yield Buffer.alloc(512)
  })()
  const archive = writeTar(each([{ name: 'large', size, bytes: endless }]), 0)
  const { value: header } = await archive.next()
  await archive.return(undefined)
  const entries = readTar(Readable.from([header as Buffer]))
  expect((await entries.next()).value).toMatchObject({ name: 'large', size })
  await entries.return(undefined)
})

test.each(['shorter', 'longer'])('a file that is %s than it was announced fails the archive', async (now) => {
  const size = now === 'shorter' ? 12 : 3
  const changed = { name: 'a', size, bytes: [Buffer.from('content')] }
  await expect(archiveOf(file('before', 'x'), changed, file('after', 'x'))).rejects.toThrow(
    'a changed while it was packed.',
  )
})

test('a file that cannot be read fails the archive with its error', async () => {
  const missing = { name: 'a', size: 1, bytes: createReadStream('missing.bin') }
  await expect(archiveOf(missing)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(readTar(createReadStream('missing.tar')).next()).rejects.toMatchObject({ code: 'ENOENT' })
})

describe('an archive is refused', () => {
  test('cut off anywhere, even at the start of its last blocks', async () => {
    const archive = await archiveOf(file('a', 'x'.repeat(700)), file('b', 'y'))
    for (const length of [0, 100, 512, 600, 1_536, 1_800, 2_048, 2_560, 2_561, 3_071]) {
      await expect(read(archive.subarray(0, length)), `${length}`).rejects.toThrow('it is cut off')
    }
    expect(await read(archive.subarray(0, 3_072))).toHaveLength(2)
  })

  test('with a damaged header', async () => {
    const archive = await archiveOf(file('a', 'x'), file('b', 'y'))
    for (const at of [0, 130, 150, 1_024, 1_100]) {
      const damaged = Buffer.from(archive)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x01, at)
      await expect(read(damaged), `${at}`).rejects.toThrow('a header is damaged')
    }
  })

  test('of another format, or with anything but regular files', async () => {
    const archive = await archiveOf(file('a', 'x'))
    const withField = (at: number, text: string) => {
      const changed = Buffer.from(archive)
      changed.write(text, at, 'latin1')
      changed.fill(' ', 148, 156)
      const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0)
      changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      return changed
    }
    await expect(read(withField(257, 'other'))).rejects.toThrow('it is not a ustar archive')
    await expect(read(withField(156, '2'))).rejects.toThrow('it holds an entry of the type symlink')
  })
})

test('an archive that was read, whole or in part, is not kept open', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  const path = `${folder}/a.tar`
  writeFileSync(path, await archiveOf(file('a', 'content'), file('b', 'more')))
  for (const stops_early of [false, true]) {
    const stream = createReadStream(path)
    for await (const entry of readTar(stream)) {
      if (stops_early) break
      await buffer(entry.bytes)
    }
    expect(stream.destroyed).toBe(true)
  }
})
