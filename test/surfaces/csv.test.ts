/** CSV is a lossless RFC 4180 form of the JSON object (spec 4.1, 4.3; rules 6). */
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import type { HttpOperation } from '#contract/operation.ts'
import { operations } from '#contract/site-api/index.ts'
import { renderCsv } from '../../src/surfaces/csv/csv-answer.ts'
import { writeCsv } from '../../src/surfaces/csv/write-cells.ts'
import { anyText } from '../support/any-text.ts'
import { answersOf } from '../support/arbitrary.ts'
import { parseCsv, REBUILD, readCsv } from '../support/csv.ts'

/** An operation whose output is only begun in the contract says `meta` and no more. */
const isDescribed = ({ output }: HttpOperation) =>
  Object.keys((output as { properties?: object }).properties ?? {}).length > 1
const forms = (operations as readonly HttpOperation[]).flatMap((operation) =>
  operation.csv === undefined || !isDescribed(operation) ? [] : [[operation.id, operation] as const],
)

/** A trend holds every day of its window, and each once (rules 6). */
function hasEachDayOnce({ trend = [] }: { trend?: { day: string }[] }): boolean {
  return new Set(trend.map(({ day }) => day)).size === trend.length
}

/** The first version of the overview has a header of its own (decisions 5). */
function headerOf({ csv }: HttpOperation, answer: unknown): string | undefined {
  const { meta } = answer as { meta: { contract_version: string } }
  return meta.contract_version === 'analytics-overview/v1' ? 'record_type,day,metric,value' : csv?.header
}

describe('the writer', () => {
  test('is RFC 4180: CRLF, quotes only where they are needed, doubled inside', () => {
    expect(writeCsv(['a', 'b'], [{ a: 'x', b: 'y"z' }, { b: '1,2' }, { a: ' "\r\n', b: '=1+1' }])).toBe(
      'a,b\r\nx,"y""z"\r\n,"1,2"\r\n" ""\r\n",=1+1\r\n',
    )
    expect(writeCsv(['a', 'b'], [])).toBe('a,b\r\n')
  })

  test('any cells can be read back', () => {
    const cell = fc.oneof(anyText(), fc.constantFrom('', '"', '\r', '\n', '\r\n', ',', '""'))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell)), (rows) => {
        const text = writeCsv(
          ['a', 'b', 'c'],
          rows.map(([a, b, c]) => ({ a, b, c })),
        )
        expect(parseCsv(text)).toEqual([['a', 'b', 'c'], ...rows])
      }),
    )
  })
})

describe.each(forms)('%s', (id, operation) => {
  test('any answer that the contract allows can be read back from its CSV', () => {
    const check = Compile(operation.output)
    fc.assert(
      fc.property(answersOf(operation.output), (answer) => {
        expect([...check.Errors(answer)]).toEqual([])
        const whole = JSON.parse(JSON.stringify(answer))
        fc.pre(hasEachDayOnce(whole))
        const { records } = readCsv(renderCsv(id, whole))
        expect(REBUILD[id]?.(records)).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })

  test('header and order of records are those of the contract', () => {
    fc.assert(
      fc.property(answersOf(operation.output), (answer) => {
        const { header, records } = readCsv(renderCsv(id, answer as Record<string, unknown>))
        expect(header).toBe(headerOf(operation, answer))
        const order = records.map(({ record_type }) => operation.csv?.records.indexOf(record_type as string) as number)
        expect(order).toEqual(order.toSorted((a, b) => a - b))
        expect(order[0]).toBe(0)
        expect(order).not.toContain(-1)
      }),
      { numRuns: 100 },
    )
  })
})
