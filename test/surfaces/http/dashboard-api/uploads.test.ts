/** Logs that a browser sends, over a real socket: an event stream and an upload need one. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { addMember, addPerson } from '../../../operations/people.ts'
import { type Browser, signInAs } from '../../../support/person.ts'
import { openConnection, parseAnswer } from '../../../support/raw-http.ts'
import { openTestService, type TestService } from '../../../support/service.ts'

let service: TestService
let browser: Browser
let site: Site
let url: string

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  browser = await signInAs(service, service.installation.operator)
  url = `http://127.0.0.1:${await service.listen()}`
})
afterAll(() => service.close())

const log = () => Buffer.from(history().on('2026-03-07').humans().crawler('gptbot').requests(3, { path: '/a' }).text())

function send(
  query: Record<string, string>,
  body: string | Buffer<ArrayBuffer>,
  who = browser,
  headers: Record<string, string> = {},
) {
  return fetch(`${url}/dashboard-api/uploadLog?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: {
      origin: url,
      cookie: String(who.cookie),
      'content-type': 'application/octet-stream',
      ...headers,
    },
    body,
  })
}

test('an upload is imported, followed, and its receipt is kept without the text of lines', async () => {
  const followed = fetch(`${url}/dashboard-api/uploadProgress?upload=one-upload`, {
    headers: { cookie: String(browser.cookie), accept: 'text/event-stream' },
  })
  const events = await followed
  expect(events.headers.get('content-type')).toBe('text/event-stream')
  const sent = Buffer.concat([log(), Buffer.from('secret=1 not a line\n')])
  const answer = await send({ site: site.id, label: 'access.log', upload: 'one-upload' }, sent)
  expect(answer.status).toBe(200)
  const { receipt } = (await answer.json()) as { receipt: Record<string, unknown> }
  expect(receipt).toMatchObject({ stored: 3, malformed: 1, by_crawler: { gptbot: 3 } })
  expect(await events.text()).toMatch(/: following\n\n(event: progress\ndata: \{"bytes":\d+,.*\}\n\n)+event: end\n/)
  const { json, text } = await browser.read('getReceipts', { site: site.id }, { host: url.slice('http://'.length) })
  expect(json).toMatchObject({ receipts: [{ label: 'access.log', receipt: { stored: 3, malformed: 1 } }] })
  expect(text).not.toContain('secret')
})

test('refusals have the form of all failures', async () => {
  const failures = [
    await send({ site: site.id }, 'nothing of this is a log line\n'),
    await send({ site: 'missing.example' }, log()),
    await send({ site: site.id, covers: 'x' }, log()),
    await send({ site: site.id }, log(), browser, { 'content-type': 'text/plain' }),
    await send({ site: site.id }, log(), browser, { origin: 'https://evil.example' }),
    await send({ site: site.id, format: 'combined' }, log()),
  ]
  const said = await Promise.all(
    failures.map(async (answer) => [answer.status, ((await answer.json()) as { code: string }).code]),
  )
  expect(said).toEqual([
    [422, 'not_readable'],
    [404, 'site_not_found'],
    [400, 'invalid_input'],
    [400, 'invalid_body'],
    [403, 'foreign_origin'],
    [400, 'invalid_input'],
  ])
})

test('editors upload, viewers do not, and no person can follow the upload of another', async () => {
  const people = await Promise.all(
    (['editor', 'viewer'] as const).map(async (role) => {
      const person = await addPerson(service, site.account_id)
      await addMember(service, person, site, role)
      return signInAs(service, person)
    }),
  )
  const [editor, viewer] = people as [Browser, Browser]
  const events = await fetch(`${url}/dashboard-api/uploadProgress?upload=of-the-editor`, {
    headers: { cookie: String(viewer.cookie) },
  })
  expect((await send({ site: site.id, upload: 'of-the-editor' }, log(), editor)).status).toBe(200)
  expect((await send({ site: site.id }, log(), viewer)).status).toBe(404)
  const reader = events.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(': following\n\n')
  await reader?.cancel()
  expect(service.http.server.requestTimeout).toBe(120_000)
})

test('no person holds more than 20 connections by following, and others can follow', async () => {
  const viewer = await addPerson(service, site.account_id)
  await addMember(service, viewer, site, 'viewer')
  const follow = async (who: Browser) => {
    const path = `${url}/dashboard-api/uploadProgress?upload=never-begun`
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const { body } = await fetch(path, { headers: { cookie: String(who.cookie) }, signal: leaving.signal })
    const first = await (body as ReadableStream<Uint8Array>).getReader().read()
    return first.done ? null : Buffer.from(first.value).toString()
  }
  const greedy = await signInAs(service, viewer)
  const said: (string | null)[] = []
  for (let page = 0; page < 25; page++) said.push(await follow(greedy))
  expect(said).toEqual([...Array(20).fill(': following\n\n'), ...Array(5).fill(null)])
  expect(await follow(browser)).toBe(': following\n\n')
})

test('a slow log is refused after a minute, and does not delay the next one for longer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const timers = vi.getTimerCount()
  const slow = await openConnection(Number(new URL(url).port))
  onTestFinished(() => void slow.socket.destroy())
  const path = `/dashboard-api/uploadLog?${new URLSearchParams({ site: site.id })}`
  const head = [`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `Origin: ${url}`, `Cookie: ${browser.cookie}`]
  slow.send([...head, 'Content-Type: application/octet-stream', 'Content-Length: 90000', '', '1'].join('\r\n'))
  while (vi.getTimerCount() === timers) await turn()
  const next = send({ site: site.id }, log())
  vi.advanceTimersByTime(60_000)
  const answer = await next
  expect(answer.status).toBe(200)
  while (!slow.received().endsWith('}')) await turn()
  const { status, body } = parseAnswer(slow.received())
  const refusal = {
    code: 'invalid_body',
    detail: expect.stringMatching(/too slowly: at least 491520 bytes .* 60 seconds/),
  }
  expect([status, JSON.parse(body)]).toEqual([400, expect.objectContaining(refusal)])
})

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
