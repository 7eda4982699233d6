/** A name that nothing has: each command names the command that shows those there are, and that command has them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPrepared, run, runJson, type Serving, serve, type Work } from '../support/cli.ts'

let work: Work
let server: Serving
beforeAll(async () => {
  work = await openPrepared()
  server = await serve(work.data, [], { outlives_test: true })
  await runJson(['site', 'add', 'example.com', '--data', work.data])
  await runJson(['tracker', 'enable', 'example.com', '--data', work.data])
  await runJson(['source', 'add', 'example.com', '--name', 'web1', '--data', work.data])
})
afterAll(async () => {
  await server.stop()
  work.remove()
})

const CRAWLERS = 'report SITE --json'
test.each([
  ['source disconnect nosuch', 'source list SITE', '"nosuch"'],
  ['source token revoke nosuch', 'source token list SOURCE', ''],
  ['key revoke nosuch', 'key list', ''],
  ['tracker key revoke example.com nosuch', 'tracker key list SITE', ''],
  ['tracker origin remove example.com http://localhost:1', 'tracker origin list SITE', 'http://localhost:1'],
  ['report example.com --crawler nosuch', CRAWLERS, '"nosuch"'],
  ['issue intended example.com example.com /a --harm refused --crawler nosuch', CRAWLERS, '"nosuch"'],
])('spoor %s', async (typed, listing, quoted) => {
  const { code, stdout, stderr } = await run([...typed.split(' '), '--data', work.data])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`spoor ${listing} show`)
  expect(stderr).toContain(quoted)
  const words = listing.replace('SITE', 'example.com').replace('SOURCE', 'web1').split(' ')
  expect(await run([...words, '--data', work.data])).toMatchObject({ code: 0 })
})
