/** The events of the documents are sent as they are printed there, with the headers that curl sends for them. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Collecting, openCollecting } from '../../support/collect.ts'

let a: Collecting
beforeAll(async () => {
  a = await openCollecting('2026-03-10T12:00:00Z')
})
afterAll(() => a.close())

/** The type that curl names for `-d` unless given another. */
const OF_CURL = { 'content-type': 'application/x-www-form-urlencoded' }

const commandsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^curl .*\/collect\/server[\s\S]*?-d '([^']+)'/gm)].map(
    ([text, body = '']) => ({
      body,
      headers: Object.fromEntries(
        [...text.matchAll(/-H "([^:"]+): ([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
      ),
    }),
  )

test.each(['docs/tracker/README.md', 'docs/operating/collection.md'])('%s', async (file) => {
  const commands = commandsOf(file)
  expect(commands).not.toEqual([])
  for (const { body, headers } of commands) {
    const { authorization = '', ...others } = headers
    expect(authorization).toBe('Bearer spoor_srv_…')
    const answer = await a.server(body, { ...OF_CURL, ...others })
    expect(answer).toMatchObject({ status: 202, json: { rejected: [] } })
  }
})
