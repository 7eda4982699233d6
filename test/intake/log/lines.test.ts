import { describe, expect, test } from 'vitest'
import { LINE_LIMIT, readLines } from '#intake/log/lines.ts'
import { batchesOf, gather, readAll } from './read-lines.ts'

const line = (path: string, agent = 'GPTBot/1.2') =>
  `192.0.2.7 - - [03/Mar/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 12 "-" "${agent}"`
const textOf = async (bytes: Buffer, size: number) =>
  (await batchesOf(bytes, size)).map((batch) => batch.bytes.toString('latin1')).join('')

describe('lines of a file', () => {
  test('chunks of any size give the same lines with the same numbers', async () => {
    const file = Buffer.from(`\ufeff${line('/a')}\r\n\n${line('/b')}\n\r\nnonsense\n${line('/c')}`)
    for (const size of [1, 2, 3, 7, 64, 1000, 65_536]) {
      const read = await readAll(file, size)
      expect(read.map((one) => [one.line_number, one.malformed, one.request])).toEqual([
        [1, null, 'GET /a HTTP/1.1'],
        [3, null, 'GET /b HTTP/1.1'],
        [5, 'not_an_access_log_line', ''],
        [6, null, 'GET /c HTTP/1.1'],
      ])
      expect(read[0]?.line).toBe(line('/a'))
    }
  })

  test('bytes are unchanged, NUL and high bytes too, and only the first BOM is removed', async () => {
    const file = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0, 0xff, 0x0a, 0xef, 0xbb, 0xbf, 0x0a, 0x80])
    for (const size of [1, 4, 100]) expect(await textOf(file, size)).toBe('a\0\xff\n\xef\xbb\xbf\n\x80')
  })

  test('an empty file and one of blank lines hold no records', async () => {
    expect(await readAll('')).toEqual([])
    expect(await readAll('\n\r\n  \n\n')).toEqual([])
  })

  test('directives are not records', async () => {
    const read = await readAll(`#Version: 1.0\n#Fields: date time\n${line('/a')}\n# a comment\n`)
    expect(read.map((one) => [one.line_number, one.malformed])).toEqual([[3, null]])
  })

  test('a line over 1 MiB is one malformed record with its number, and the line after it is read', async () => {
    const file = Buffer.from(`${line('/a')}\n${'x'.repeat(LINE_LIMIT * 3)}\n${line('/b')}\n`)
    for (const size of [50_000, 262_144, 10_000_000]) {
      const read = await readAll(file, size)
      expect(read.map((one) => [one.line_number, one.malformed])).toEqual([
        [1, null],
        [2, 'line_too_long'],
        [3, null],
      ])
    }
  })

  test('a line of exactly 1 MiB is read, one byte more is too long', async () => {
    const exact = line(`/${'x'.repeat(LINE_LIMIT - line('/').length)}`)
    expect(exact.length).toBe(LINE_LIMIT)
    expect((await readAll(`${exact}\r\n`, 40_000))[0]?.malformed).toBeNull()
    expect((await readAll(`${exact}"\n`, 40_000))[0]?.malformed).toBe('line_too_long')
    expect((await readAll(`${exact}"\n`, 4_000_000))[0]?.malformed).toBe('line_too_long')
  })

  test('an endless line is never gathered', async () => {
    const piece = Buffer.alloc(65_536, 0x78)
    async function* endless(): AsyncGenerator<Buffer> {
      for (let count = 0; count < 4_000; count += 1) yield piece
    }
    const before = process.memoryUsage().arrayBuffers
    const batches = await gather(readLines(endless()))
    expect(batches).toEqual([{ bytes: Buffer.alloc(0), too_long: true, terminated: false }])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
  })

  test('a lone last line that ends inside its agent is cut off; inside the file it is an oddity', async () => {
    const cut = line('/a').slice(0, -1)
    expect((await readAll(cut))[0]?.malformed).toBe('line_cut_off')
    expect((await readAll(`${cut}\n`))[0]).toMatchObject({ malformed: null, user_agent: 'GPTBot/1.2' })
    expect((await readAll(line('/a')))[0]?.malformed).toBeNull()
  })
})
