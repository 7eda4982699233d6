import type { RequestListener } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeFailure, exchange } from '#outgoing/exchange.ts'
import { selfSigned } from '../support/certificate.ts'
import { openWebServers } from '../support/web-server.ts'

const web = openWebServers()
const trusted = getCACertificates('default')
const identity = selfSigned('shop.example')
beforeAll(() => setDefaultCACertificates([...trusted, identity.cert]))
afterAll(() => setDefaultCACertificates(trusted))
afterEach(() => web.close())

const observer = { secured: () => {}, answered: () => {} }

test.each([
  ['https://shop.example/', 'shop.example'],
  ['http://shop.example/', 'shop.example'],
  ['http://shop.example:8080/', 'shop.example:8080'],
])('%s is asked for the host %s', async (text, host) => {
  const url = new URL(text)
  const seen: (string | undefined)[] = []
  const serve: RequestListener = (request, response) => {
    seen.push(request.headers.host)
    response.end('hello')
  }
  // Listening on the usual ports is not for tests, so the connection goes to another one.
  const port = url.protocol === 'https:' ? await web.https(identity, serve) : await web.http(serve)
  const asked = { method: 'GET', headers: {}, max_bytes: 100 }
  const to = { url, port, addresses: ['127.0.0.1'] }
  await exchange(to, asked, AbortSignal.timeout(5_000), observer)
  expect(seen).toEqual([host])
})

test.each(['EPERM', 'EACCES', 'EAFNOSUPPORT', 'EINVAL', 'ECONNREFUSED'])(
  '%s, by which a system or its firewall keeps a connection from being made, is a failure of the connection',
  (code) => {
    const refusal = describeFailure(new URL('http://shop.example/'), Object.assign(new Error(code), { code }))
    expect(refusal).toMatchObject({ kind: 'unreachable', code: 'not_connected', system_code: code })
  },
)
