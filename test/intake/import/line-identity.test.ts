import { createHash } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows, text, uuid } from '#evidence/sql.ts'
import { LineHasher, lineHash } from '#intake/import/line-identity.ts'
import { GPTBOT } from '../../support/intake.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

const line = (path: string) => `192.0.2.7 - - [09/Mar/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${GPTBOT}"`

test('the key of a stored line never changes, or earlier imports would count twice (rules 4)', async () => {
  const site = await service.addSite('example.com')
  const syslog = `<134>Mar  9 10:00:00 web nginx: ${line('/b')}`
  const lines = [line('/a'), line('/a'), line('/caf\u00e9'), syslog, line('/a')]
  const receipt = await service.importText(site, `${lines.join('\r\n')}\n`)
  expect(receipt).toMatchObject({ stored: 5, duplicates: 0 })
  const { evidence, control } = service.crawlers
  const { id } = await control.db
    .selectFrom('sources')
    .select('id')
    .where('site_id', '=', site.id)
    .executeTakeFirstOrThrow()
  const Key = rows(Type.Object({ event: Type.String() }))
  const keyOf = async (content: string, ordinal: number) => {
    // The file holds a byte for each character; one beyond ASCII counts as the character of its number.
    const hash = createHash('sha256').update(`${id}\n\n`).update(content, 'utf8').digest('hex').slice(0, 32)
    const [key] = await evidence.all(Key`
      SELECT toString(reinterpretAsUInt128(sipHash128(toUUID(${text(hash)}), toUInt64(${text(String(ordinal))})))) AS event`)
    return key?.event
  }
  const expected = await Promise.all([
    ...[1, 2, 3].map((ordinal) => keyOf(line('/a'), ordinal)),
    ...[keyOf(line('/caf\u00e9'), 1), keyOf(syslog, 1)],
  ])
  const stored = await evidence.all(
    Key`SELECT toString(event) AS event FROM spoor.requests WHERE site_id = ${uuid(site.id)}`,
  )
  expect(stored.map(({ event }) => event).sort()).toEqual(expected.sort())
})

test('a line has the same hash by its bytes as by its text, of any length, letters, source and server', () => {
  const moved = [{ source_id: 'unnamed', server: '', ranges: [{ from: 10, to: 20 }] }]
  const origin = { source_id: 'named', server: 'b\u00fcro', moved }
  const hasher = new LineHasher(origin)
  const lines = ['a', 'b'.repeat(9_000), 'caf\u00e9', '', 'c'.repeat(20_000), 'd']
  const check = (content: readonly string[]) => {
    const bytes = Buffer.from(`${content.join('\n')}\n`, 'latin1')
    hasher.load(bytes)
    for (const at of [5, 15, 25]) {
      let start = 0
      for (const each of content) {
        expect(hasher.of(start, start + each.length, at)).toBe(lineHash(origin, each, at))
        start += each.length + 1
      }
    }
  }
  check(lines)
  check(lines.filter((each) => each !== 'caf\u00e9'))
})
