/** What is said of certificates and handshakes that a crawler would not accept (rules 8.3, 8.5). */
import type { ServerOptions } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TlsObservation } from '#outgoing/connect.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { safeFetch } from '#outgoing/safe-fetch.ts'
import { certify } from '../support/certificate.ts'
import { openWebServers } from '../support/web-server.ts'

const web = openWebServers()
const trusted = getCACertificates('default')
const root = { name: 'Root', ...certify({ name: 'Root', alt_name: null, is_authority: true }) }
const between = { name: 'Between', ...certify({ name: 'Between', alt_name: null, is_authority: true, issuer: root }) }
beforeAll(() => setDefaultCACertificates([...trusted, root.cert]))
afterAll(() => setDefaultCACertificates(trusted))
afterEach(() => web.close())

/** What a visit to a server with these options sees, and why it ends; null where it is answered. */
async function visit(options: ServerOptions, host = 'shop.example') {
  const port = await web.https(options, (_, response) => response.end('sealed'))
  const seen: TlsObservation[] = []
  const outgoing = web.outgoing({ 'shop.example': ['127.0.0.1'], 'shop.example.': ['127.0.0.1'] })
  const refusal = await safeFetch(outgoing, `https://${host}:${port}/`, {
    max_bytes: 100,
    timeout_ms: 5_000,
    observer: { secured: (_, tls) => seen.push(tls) },
  }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof OutgoingRefusal) return error
      throw error
    },
  )
  expect(seen).toHaveLength(1)
  return { tls: seen[0] as TlsObservation, refusal }
}

const name = 'shop.example'
const leaf = (wish: Partial<Parameters<typeof certify>[0]> = {}) => certify({ name, issuer: root, ...wish })

test('a valid certificate, also for the name with its final dot', async () => {
  const names: unknown[] = []
  const options: ServerOptions = {
    ...leaf(),
    SNICallback: (asked, done) => {
      names.push(asked)
      done(null)
    },
  }
  for (const host of ['shop.example', 'shop.example.']) {
    const { tls, refusal } = await visit(options, host)
    expect(refusal).toBeNull()
    expect(tls).toMatchObject({ state: 'valid', code: null, protocol: 'TLSv1.3', issuer: 'Root', names_match: true })
  }
  expect(names).toEqual(['shop.example', 'shop.example'])
})

test.each<[string, ServerOptions, Partial<TlsObservation>]>([
  [
    'expired',
    leaf({ expires: '20200101' }),
    { code: 'CERT_HAS_EXPIRED', names_match: true, expires_at: Date.UTC(2020, 0, 1) },
  ],
  ['without alternative names', leaf({ alt_name: null }), { code: 'NO_SUBJECT_ALT_NAME', names_match: false }],
  [
    'for another name',
    leaf({ alt_name: 'other.example' }),
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID', names_match: false },
  ],
  ['self-signed', certify({ name }), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', names_match: true }],
  [
    'self-signed and for another name',
    certify({ name: 'other.example' }),
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', names_match: false },
  ],
  [
    'without its intermediate',
    leaf({ issuer: between }),
    { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuer: 'Between' },
  ],
])('a certificate that is %s proves nothing, and no request is sent', async (_, options, said) => {
  const { tls, refusal } = await visit(options)
  expect(tls).toMatchObject({ state: 'invalid', ...said })
  expect(refusal).toMatchObject({ code: 'tls', system_code: said.code })
})

test('with its intermediate the same certificate is valid', async () => {
  const { key, cert } = leaf({ issuer: between })
  expect(await visit({ key, cert: cert + between.cert })).toMatchObject({ tls: { state: 'valid' }, refusal: null })
})

test('a server that speaks old protocols only', async () => {
  const old = { ...leaf(), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
  const { tls, refusal } = await visit(old)
  expect(tls).toMatchObject({ state: 'none', protocol: null, names_match: null })
  expect(tls.code).toMatch(/^ERR_SSL_(TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/)
  expect(refusal).toMatchObject({ code: 'tls' })
})

test.each([
  // It refuses during the handshake.
  ['TLSv1.2', 'none'],
  // It refuses after the handshake, whose certificate was good.
  ['TLSv1.3', 'valid'],
] as const)('a server that wants a client certificate over %s', async (protocol, state) => {
  const options = { ...leaf(), requestCert: true, rejectUnauthorized: true, minVersion: protocol, maxVersion: protocol }
  const { tls, refusal } = await visit({ ...options, ca: [root.cert] })
  expect(tls.state).toBe(state)
  expect(refusal).toMatchObject({ kind: 'unreachable', code: 'tls', system_code: expect.stringMatching(/^ERR_SSL_/) })
})
