import pino from 'pino'
import { expect, test } from 'vitest'
import { requestSoon } from '#installation/request-soon.ts'
import { GateClosed } from '#move/write-gate.ts'

/** What is logged when a request for the job fails like this. */
async function linesAfter(failure: Error): Promise<unknown[]> {
  const lines: unknown[] = []
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const failing = Promise.reject(failure)
  requestSoon({ request: () => failing }, log)('rebuild', 'roll-ups are rebuilt in a minute')()
  await failing.catch(() => {})
  return lines
}

test('a job that could not be requested runs later, with a line in the log', async () => {
  expect(await linesAfter(new Error('the store is away'))).toMatchObject([
    { job: 'rebuild', msg: 'roll-ups are rebuilt in a minute', err: { message: 'the store is away' } },
  ])
})

test.each([true, false])('nothing is logged while a move refuses writes (ended: %s)', async (has_moved) => {
  expect(await linesAfter(new GateClosed(has_moved))).toEqual([])
})
