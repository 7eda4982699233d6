/** Who may deliver, in which form, and how much at once (decisions 3.5, rules 4). */

import { gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { setAccountStatus } from '#accounts/account-status.ts'
import { collectKeyUses } from '#accounts/key-uses.ts'
import { createSiteKey } from '#accounts/site-keys.ts'
import { openIntake } from '#intake/batches/intake.ts'
import { Load, loadTable } from '#intake/batches/load-limits.ts'
import { authenticateToken } from '#sources/authenticate-token.ts'
import { disconnectSource, reconnectSource } from '#sources/disconnect-source.ts'
import { listSources } from '#sources/sources.ts'
import { createToken, revokeToken } from '#sources/tokens.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { openTestIntake, type TestIntake, visit } from '../../support/intake.ts'

let intake: TestIntake
const shared = serviceOfFile()
beforeEach(async () => {
  intake = await openTestIntake(await shared.fresh('2026-03-10T12:00:00Z'))
})

const ndjson = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const operator = () => intake.service.installation.operator
const status = async () => (await listSources(operator(), intake.site.id))[0]?.connection_status

describe('the endpoint', () => {
  test('is closed to everything but a source token in force', async () => {
    const { secret } = await createSiteKey(operator(), { user_id: operator().user_id, name: 'reader' })
    const body = ndjson(visit())
    for (const token of [null, '', secret, 'spoor_src_', `${intake.token}x`, `spoor_src_${'A'.repeat(43)}`]) {
      const answer = await intake.post(body, { token })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(answer.json).toMatchObject({ type: 'urn:spoor:problem:unauthenticated', status: 401 })
      expect(answer.text).not.toContain('spoor_src_AAAA')
    }
    await revokeToken(operator(), intake.token)
    expect((await intake.post(body)).status).toBe(401)
    expect(await intake.facts()).toEqual([])
    expect(await status()).toBe('revoked')
    const again = await createToken(operator(), { source: intake.source_id, name: 'again' })
    expect((await intake.post(body, { token: again.secret })).status).toBe(200)
    expect(await status()).toBe('live')
  })

  test('does not accept a source token for reads', async () => {
    expect((await intake.service.ask('/v1/sites', { key: intake.token })).status).toBe(401)
  })

  test('accepts evidence of a suspended account, but not of a disconnected source', async () => {
    await setAccountStatus(operator(), { account_id: operator().account_id, status: 'suspended' })
    expect((await intake.post(ndjson(visit()))).status).toBe(200)
    await disconnectSource(operator(), intake.source_id)
    const answer = await intake.post(ndjson(visit({ path: '/2' })))
    expect(answer).toMatchObject({ status: 403, json: { type: 'urn:spoor:problem:source_disconnected' } })
    await reconnectSource(operator(), intake.source_id)
    expect(await status()).toBe('pending')
    expect((await intake.post(ndjson(visit({ path: '/2' })))).status).toBe(200)
    expect(await status()).toBe('live')
  })

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'] as const)('refuses %s and names what works', async (method) => {
    const answer = await intake.post('', { method })
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })

  test('refuses a bad parameter by its name', async () => {
    const body = ndjson(visit())
    const bad = [
      { query: '?dialect=apache' },
      { query: '?dialect=vercel&dialect=akamai' },
      { query: '?dialect=cloudfront_realtime&fields=sc-status&fields=cs-method' },
      { headers: { 'x-spoor-sender': 'a b' } },
      { headers: { 'x-spoor-sender': 'x'.repeat(65) } },
      { headers: { 'idempotency-key': 'x'.repeat(256) } },
    ]
    for (const options of bad) {
      expect(await intake.post(body, options)).toMatchObject({
        status: 400,
        json: { type: 'urn:spoor:problem:invalid_parameter' },
      })
    }
    const brotli = await intake.post(body, { headers: { 'content-encoding': 'br' } })
    expect(brotli).toMatchObject({ status: 415, headers: { 'accept-encoding': 'gzip, zstd' } })
    expect(await intake.facts()).toEqual([])
  })
})

describe('a body', () => {
  const records = [visit({ path: '/1' }), visit({ path: '/2' })]
  const plain = ndjson(...records)
  test.each([
    ['NDJSON', plain, {}],
    ['without a last line end', plain.trimEnd(), {}],
    ['a JSON array', JSON.stringify(records), { 'content-type': 'text/plain' }],
    ['a printed JSON array', JSON.stringify(records, null, 2), { 'content-type': 'application/json' }],
    ['behind a BOM', `\ufeff${plain}`, {}],
    ['gzip', gzipSync(plain), { 'content-encoding': 'gzip' }],
    ['gzip that is not announced', gzipSync(plain), {}],
    ['gzip that it is not', plain, { 'content-encoding': 'gzip' }],
    ['gzip of several members', Buffer.concat(records.map((one) => gzipSync(ndjson(one)))), {}],
    ['zstd', zstdCompressSync(plain), { 'content-encoding': 'zstd' }],
  ])('is read as %s', async (_name, body, headers) => {
    expect((await intake.post(body, { headers: headers as Record<string, string> })).json).toMatchObject({
      accepted: 2,
    })
    expect((await intake.facts()).map((fact) => fact.path)).toEqual(['/1', '/2'])
  })

  test.each([
    ['truncated gzip', gzipSync(plain.repeat(50)).subarray(0, -9)],
    ['truncated zstd', zstdCompressSync(plain.repeat(50)).subarray(0, -9)],
    ['corrupt gzip', Buffer.concat([gzipSync(plain).subarray(0, 30), Buffer.alloc(40, 7)])],
    ['gzip twice', gzipSync(gzipSync(plain))],
    ['bzip2', Buffer.concat([Buffer.from('BZh91AY&SY'), Buffer.alloc(100, 1)])],
    ['binary', Buffer.alloc(2_000, 3)],
    ['no JSON at all', '<html>\n<body>'],
    ['numbers only', '[1, 2]'],
    ['an array cut within a record', JSON.stringify(records).slice(0, -20)],
    ['an array cut behind a comma', `[${JSON.stringify(records[0])},`],
    ['an array cut behind a record', JSON.stringify(records).slice(0, -1)],
    ['a printed array without its end', JSON.stringify(records, null, 2).slice(0, -2)],
    ['an array under a name, cut behind a record', `{"records":[${JSON.stringify(records[0])}`],
  ])('that is %s is refused whole', async (_name, body) => {
    const answer = await intake.post(body)
    expect(answer).toMatchObject({ status: 400, json: { type: 'urn:spoor:problem:not_readable' } })
    expect(answer.json.detail).toMatch(/^[A-Z].*Nothing was stored/)
    expect(answer.json.detail).not.toMatch(/access log|spoor import/)
    expect(await intake.facts()).toEqual([])
    expect(await status()).toBe('pending')
  })

  test.each(['', '\n\n', '[]', ' [ ] '])('without records (%j) is nothing to store', async (body) => {
    expect((await intake.post(body)).json).toMatchObject({ records: 0, accepted: 0 })
    expect(await status()).toBe('pending')
  })

  test('past 200,000 records or 64 MiB is refused whole, however it is packed', async () => {
    const small = '{"timestamp":1773143940,"path":"/","user_agent":"GPTBot"}\n'
    const many = gzipSync(small.repeat(200_001))
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20))
    const list = gzipSync(`[${Array.from({ length: 200_001 }, () => '1').join(',')}]`)
    for (const body of [many, bomb, list]) {
      const answer = await intake.post(body)
      expect(answer).toMatchObject({ status: 413, json: { type: 'urn:spoor:problem:too_large' } })
    }
    const announced = await intake.post('', { headers: { 'content-length': String(65 * 1024 * 1024) } })
    expect(announced.status).toBe(413)
    expect(await intake.facts()).toEqual([])
    const most = await intake.post(gzipSync(small.repeat(200_000)))
    expect(most.json).toMatchObject({ records: 200_000, accepted: 200_000 })
  }, 120_000)
})

describe('under load', () => {
  test('a sender is asked to repeat its batch, and nothing of it is stored', async () => {
    const { small, send } = await openSmall({ wait_ms: 0 })
    const [first, second] = await Promise.allSettled([send('/1'), send('/2')])
    // One that is alone may be larger than the common limit.
    expect(first).toMatchObject({ status: 'fulfilled', value: { accepted: 1 } })
    expect(second).toMatchObject({ status: 'rejected', reason: { kind: 'busy' } })
    expect((await send('/2')).accepted).toBe(1)
    expect((await intake.facts()).map((fact) => fact.path)).toEqual(['/1', '/2'])
    await small.close()
  })

  test('a batch that waits for a slot is stored once another one has ended', async () => {
    const { small, send } = await openSmall({ wait_ms: 60_000 })
    const answers = await Promise.all([send('/1'), send('/2')])
    expect(answers).toMatchObject([{ accepted: 1 }, { accepted: 1 }])
    expect((await intake.facts()).map((fact) => fact.path)).toEqual(['/1', '/2'])
    await small.close()
  })

  /** An intake with one slot, and a function that sends it a batch of one record. */
  async function openSmall({ wait_ms }: { wait_ms: number }) {
    const { crawlers, installation } = intake.service
    const uses = collectKeyUses(installation)
    const deliverer = await authenticateToken({ ...installation, uses }, intake.token)
    if (deliverer === null) throw new Error('the token is known')
    const small = openIntake(crawlers, { limits: { batches: 1, batches_of_token: 1, bytes: 100, wait_ms } })
    const delivery = { deliverer, sender: null, idempotency_key: null, dialect: null, fields: null }
    const send = (path: string) =>
      small.receive(delivery, async function* () {
        yield Buffer.from(ndjson(visit({ path })))
      })
    return { small, send }
  }

  test('one token leaves slots to the others', async () => {
    const load = new Load(loadTable({ batches: 3, batches_of_token: 2, bytes: 100, wait_ms: 0 }))
    const of = (token_id: string) => ({ token_id, site_id: 's' })
    const [one, two] = [await load.admit(of('a')), await load.admit(of('a'))]
    await expect(load.admit(of('a'))).rejects.toThrow(/send it again/)
    await load.admit(of('b'))
    await expect(load.admit(of('c'))).rejects.toThrow(/send it again/)
    one.release()
    one.release()
    two.release()
    expect(await Promise.all([load.admit(of('a')), load.admit(of('a'))])).toHaveLength(2)
  })
})
