import { describe, expect, test } from 'vitest'
import { LogReader } from '#intake/log/read-line.ts'

const PIECES = [
  ':',
  '[',
  '[ ',
  '"',
  '\\"GET ',
  ' - ',
  '{',
  '|',
  '(',
  '1.',
  'a@',
  ', ',
  'http://',
  '%',
  'bot ',
  '\\x',
  '}',
  '\t',
]
const MIB = 1_048_576

function read(text: string, terminated = true) {
  const reader = new LogReader()
  reader.load({ bytes: Buffer.from(text, 'latin1'), too_long: false, terminated })
  const kinds: string[] = []
  for (let kind = reader.next(); kind !== null; kind = reader.next())
    kinds.push(kind === 'malformed' ? reader.malformed : kind)
  return { kinds, agent: reader.record.user_agent }
}

describe('lines that a stranger can write', () => {
  test.each(PIECES)('no line stops the reader: a mebibyte of %j', (piece) => {
    const line = piece.repeat(Math.floor(MIB / piece.length))
    const started = performance.now()
    read(`${line}\n`)
    read(`${line.slice(0, MIB / 2)} - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "x\\"y"\n`)
    // Quadratic work takes minutes here; the limit only has to tell the two apart.
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('of a user agent the first 1,024 characters are read', () => {
    const { kinds, agent } = read(
      `1.2.3.4 - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.2 ${'x'.repeat(5000)}"\n`,
    )
    expect(kinds).toEqual(['record'])
    expect(agent).toHaveLength(1024)
  })

  test('a last line that breaks off in the fields after its agent is cut off; without such fields it is whole', () => {
    const line = '1.2.3.4 - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.2"'
    expect(read(`${line} 0.003 "10.0.0.1"\n${line} 0.0`, false).kinds).toEqual(['record', 'line_cut_off'])
    expect(read(line, false).kinds).toEqual(['record'])
  })
})
