/** Signatures are verified by the published library of Standard Webhooks. */
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { makeSigningSecret, signatureHeaders } from '#alerts/signature.ts'

const id = '3f1c0f9e-6d7b-4a54-9b0a-0d6f3f1c0f9e'
const body = '{"type":"issue.opened","title":"10 %€ \\"quoted\\""}'
const [secret, former, other] = [makeSigningSecret(), makeSigningSecret(), makeSigningSecret()] as const
const headersOf = (secrets: readonly string[], now = Date.now()) => signatureHeaders({ id, now, body }, secrets)

describe('a signature (rules 8.6)', () => {
  test('is accepted by the published library, and for no other secret, body or id', () => {
    const headers = headersOf([secret])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(other).verify(body, headers)).toThrow(/signature/i)
    expect(() => new Webhook(secret).verify(body.replace('10', '11'), headers)).toThrow(/signature/i)
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'another' })).toThrow(/signature/i)
  })

  test('is sent for both secrets of a rotation, so that a receiver may have either', () => {
    const headers = headersOf([secret, former])
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
    for (const known of [secret, former]) expect(new Webhook(known).verify(body, headers)).toEqual(JSON.parse(body))
  })

  test('holds the instant of the attempt, which receivers refuse when it is old', () => {
    expect(headersOf([secret], Date.parse('2026-03-10T12:00:00.900Z'))).toMatchObject({
      'webhook-timestamp': '1773144000',
    })
    expect(() => new Webhook(secret).verify(body, headersOf([secret], Date.now() - 6 * 60_000))).toThrow(/old/i)
  })

  test('a secret has 32 bytes and a prefix that identifies it', () => {
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  })

  test('matches the example in the specification of Standard Webhooks', () => {
    const given = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = signatureHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', now: 1_614_265_330_000, body: '{"test": 2432232314}' },
      [given],
    )
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
})
