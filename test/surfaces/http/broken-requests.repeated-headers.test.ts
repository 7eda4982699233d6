/**
 * A request with two `Host` or two `Authorization` headers means different things to different readers, so it is
 * refused.
 */
import { connect } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMetricsListener } from '#surfaces/metrics/listener.ts'
import { createMeters } from '#surfaces/metrics/meters.ts'
import { openOperatorSocket } from '#surfaces/operator/socket-server.ts'
import { type Collecting, openCollecting } from '../../support/collect.ts'
import { exchangeRaw, parseAnswer } from '../../support/raw-http.ts'

let collecting: Collecting
let port: number
let key: string
beforeAll(async () => {
  collecting = await openCollecting('2026-03-10T12:00:00Z')
  key = (await collecting.service.createKey()).secret
  port = await collecting.service.listen()
})
afterAll(() => collecting.close())

const TWICE = [
  ['Host', 'Host: example.com\r\nHOST: example.org\r\n'],
  ['Host', 'Host: example.com\r\nhost: example.com\r\n'],
  ['Authorization', 'Host: example.com\r\nauthorization: Bearer KEY\r\nAuthorization: Bearer KEY\r\n'],
  ['Authorization', 'Host: example.com\r\nAuthorization: Bearer x\r\nX: y\r\nAUTHORIZATION: Basic eA==\r\n'],
] as const
const PATHS = [
  'GET /v1/sites',
  'GET /v1/sites/example.com/overview',
  'GET /v1/openapi.json',
  'GET /v1/nowhere',
  'DELETE /v1/sites',
  'POST /intake/logs',
  'POST /collect',
  'POST /collect/server',
  'OPTIONS /collect',
  'GET /spoor.js',
  'GET /healthz',
  'GET /readyz',
]

describe.each(PATHS)('%s', (line) => {
  test.each(TWICE)('with two %s headers is 400', async (name, headers) => {
    const sent = `${line} HTTP/1.1\r\n${headers.replaceAll('KEY', key)}Content-Length: 0\r\nConnection: close\r\n\r\n`
    const answer = await exchangeRaw(port, sent)
    expect(answer.status, answer.body).toBe(400)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.parse(answer.body)).toMatchObject({
      type: 'urn:spoor:problem:malformed_request',
      status: 400,
      detail: expect.stringMatching(new RegExp(`^The request has two ${name} headers; send one\\.$`)),
    })
  })
})

test.each(TWICE)('the dashboard’s API with two %s headers is 400 in its own form', async (name, headers) => {
  const line = 'POST /dashboard-api/choosePassword HTTP/1.1'
  const sent = `${line}\r\n${headers.replaceAll('KEY', key)}Content-Length: 0\r\nConnection: close\r\n\r\n`
  const answer = await exchangeRaw(port, sent)
  expect(answer.status, answer.body).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({ detail: expect.stringContaining(`two ${name} headers`) })
})

test('the same request with one of each is answered', async () => {
  const one = `Host: example.com\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`
  expect((await exchangeRaw(port, `GET /v1/sites HTTP/1.1\r\n${one}`)).status).toBe(200)
})

test('the listener of the metrics refuses them too', async () => {
  const log = pino({ level: 'silent' })
  const meters = createMeters(collecting.service.clock)
  const listener = await openMetricsListener({ host: '127.0.0.1', port: 0, token: 'a'.repeat(16) }, meters, log)
  try {
    const at = Number(new URL(listener.url as string).port)
    const headers = [`Authorization: Bearer ${'a'.repeat(16)}\r\n`, 'Connection: close\r\n\r\n']
    const ask = (more: string) => exchangeRaw(at, `GET /metrics HTTP/1.1\r\nHost: x\r\n${more}${headers.join('')}`)
    expect((await ask('')).status).toBe(200)
    expect((await ask('Host: y\r\n')).status).toBe(400)
    expect((await ask('Authorization: Bearer y\r\n')).status).toBe(400)
  } finally {
    await listener.stop()
  }
})

test('the operator’s socket refuses them too', async () => {
  const { installation, folder } = collecting.service
  const path = join(folder, 'second.sock')
  const socket = await openOperatorSocket(path, {
    context: installation.operator,
    log: pino({ level: 'silent' }),
    importLog: installation.importLog,
    backup: installation.backup,
    moveTo: installation.moveTo,
    refuse: (error) => error,
  })
  try {
    const sent = 'POST /sites HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
    const answer = await new Promise<string>((resolve, reject) => {
      const client = connect(path, () => client.write(sent))
      let received = ''
      client.on('data', (chunk) => {
        received += String(chunk)
      })
      client.on('error', reject)
      client.on('close', () => resolve(received))
    })
    expect(parseAnswer(answer).status).toBe(400)
    expect(answer).toContain('two Host headers')
  } finally {
    await socket.stop()
  }
})
