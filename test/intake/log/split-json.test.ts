import { describe, expect, test } from 'vitest'
import { LINE_LIMIT, readLines } from '#intake/log/lines.ts'
import { LogReader } from '#intake/log/read-line.ts'
import { splitJson } from '#intake/log/split-json.ts'
import { chunked, gather, readAll } from './read-lines.ts'

const record = (path: string) => ({
  time: '2026-03-03T09:15:30Z',
  request: `GET ${path} HTTP/1.1`,
  status: 200,
  user_agent: 'GPTBot/1.2',
  note: 'a [bracket], a {brace} and a \\" quote',
})
const SIZES = [1, 2, 3, 7, 64, 1000, 65_536]
const paths = async (file: string, size: number) =>
  (await readAll(file, size)).map((one) => one.malformed ?? one.request.split(' ')[1])
const text = async (file: string, size: number) =>
  Buffer.concat(await gather(splitJson(chunked(Buffer.from(file), size)))).toString()

describe('files that are JSON', () => {
  const records = [record('/a'), record('/b'), record('/c')]
  test.each([
    ['an array in one line', JSON.stringify(records)],
    ['a pretty-printed array', JSON.stringify(records, null, 2)],
    ['with CR LF and a byte order mark', `\ufeff${JSON.stringify(records, null, '\t').replaceAll('\n', '\r\n')}\r\n`],
    ['one record a line, in an array', `[\n${records.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
    ['an array a line', records.map((one) => JSON.stringify([one])).join('\n')],
    ['pretty-printed records', records.map((one) => JSON.stringify(one, null, 2)).join('\n')],
    ['records under a name', JSON.stringify({ records, next: { a: [1] } })],
    ['records under a name, pretty', JSON.stringify({ records }, null, 4)],
    [
      'entries under a name, twice',
      `${JSON.stringify({ entries: records.slice(0, 2) })}\n${JSON.stringify({ entries: records.slice(2) })}`,
    ],
    ['an array in an array', JSON.stringify([records])],
  ])('%s', async (_name, file) => {
    for (const size of SIZES) expect(await paths(file, size)).toEqual(['/a', '/b', '/c'])
  })

  test('a record yields the same line, and so the same fact, from every one-line form', async () => {
    const lines = records.map((one) => JSON.stringify(one))
    for (const size of SIZES) {
      expect(await text(JSON.stringify(records), size)).toBe(`${lines.join('\n')}\n`)
      expect(await text(JSON.stringify({ records }), size)).toBe(`${lines.join('\n')}\n`)
    }
  })

  test('records are numbered in their order', async () => {
    expect((await readAll(JSON.stringify(records, null, 2))).map((one) => one.line_number)).toEqual([1, 2, 3])
  })

  test('a list that is cut in the middle of a record gives its whole records', async () => {
    const file = JSON.stringify(records)
    for (const size of SIZES) expect(await paths(file.slice(0, -50), size)).toEqual(['/a', '/b', 'line_cut_off'])
  })

  test('a list that is not closed is reported at the end, a cut one before whole ones is not', async () => {
    const isOpen = async (file: string, size: number) => {
      let open = false
      await gather(splitJson(chunked(Buffer.from(file), size), () => (open = true)))
      return open
    }
    const line = JSON.stringify(records[0])
    const whole = [
      ...['', '[]', '[', line, `${line}\n`, `[${line}]`, `[${line},]`, `[[${line}]]`, `{"records":[${line}]}`],
      ...[JSON.stringify(records, null, 2), `[${line}]\n[${line.slice(0, -8)}\n[${line}]\n`, `[${line}] x`],
    ]
    const cut = [`[${line}`, `[${line},`, `[${line},[`, `[[${line}]`, `[${line.slice(0, -8)}`, `{"records":[${line}`]
    for (const size of SIZES) {
      for (const file of whole) expect([file, await isOpen(file, size)]).toEqual([file, false])
      for (const file of cut) expect([file, await isOpen(file, size)]).toEqual([file, true])
    }
  })

  test('a record cut inside a text does not swallow the next', async () => {
    const line = JSON.stringify(records[0])
    const file = `[${line}]\n[${line.slice(0, -8)}\n[${line}]\n`
    for (const size of SIZES) expect(await paths(file, size)).toEqual(['/a', 'line_cut_off', '/a'])
  })

  test('an empty list holds no records, and other values in a list are not records', async () => {
    expect(await readAll('[]')).toEqual([])
    expect((await readAll(`[[], 12, "x"]`)).every((one) => one.malformed !== null)).toBe(true)
  })

  test('a value that is not a record does not affect the records after it in the same line', async () => {
    const [a, b, c] = records
    const values = [a, null, b, 5, 'x,]{"', [1, [2], { d: 3 }], true, c]
    const lost = 'not_an_access_log_line'
    for (const file of [JSON.stringify(values), JSON.stringify({ records: values }), JSON.stringify(values, null, 1)]) {
      for (const size of SIZES) {
        const read = await paths(file, size)
        expect(read.filter((path) => path?.startsWith('/'))).toEqual(['/a', '/b', '/c'])
      }
    }
    for (const size of SIZES) {
      expect(await paths(JSON.stringify([a, null, null, b]), size)).toEqual(['/a', lost, lost, '/b'])
    }
  })

  test('a text line among arrays stays a line', async () => {
    const file = `[${JSON.stringify(record('/a'))}]\n[03/Mar/2026 broken] x\nstarted\n[${JSON.stringify(record('/b'))}]\n`
    for (const size of SIZES) {
      expect(await paths(file, size)).toEqual(['/a', 'not_an_access_log_line', 'not_an_access_log_line', '/b'])
    }
  })

  test('every other file passes byte by byte', async () => {
    const files = [
      '',
      ' \n\n',
      'x',
      '[03/Mar/2026:10:00:00 +0000] 192.0.2.7 [x] [{\n',
      `${JSON.stringify(record('/a'))}\n[1]\n{ \n`,
      `{"a":[1,\n2]}\n`,
      '[',
      '{',
      '\ufeff{"records":1}\n[',
    ]
    for (const file of files) for (const size of SIZES) expect(await text(file, size)).toBe(file)
  })

  test('one line of any length is read record by record, and a record over 1 MiB is one malformed line', async () => {
    const long = JSON.stringify(record('/a'))
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('[')
      for (let count = 0; count < 20_000; count += 1) yield Buffer.from(`${count === 0 ? '' : ','}${long}`)
      yield Buffer.from(`,{"a":"${'x'.repeat(LINE_LIMIT)}"},${long}]`)
    }
    const before = process.memoryUsage().arrayBuffers
    const reader = new LogReader()
    let too_long = 0
    for await (const batch of readLines(endless())) {
      reader.load(batch)
      for (let kind = reader.next(); kind !== null; kind = reader.next())
        if (kind === 'malformed' && reader.malformed === 'line_too_long') too_long += 1
    }
    expect([reader.line_number, too_long]).toEqual([20_002, 1])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
  })
})
