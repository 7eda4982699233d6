/** Whatever is delivered again is stored once (rules 4, Idempotency of intake). */
import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { deleteOldBatchAnswers } from '#intake/batches/answered-batches.ts'
import { eraseRemovedSites } from '#jobs/erase-removed-sites.ts'
import { enforceRetention } from '#retention/enforce-crawler-retention.ts'
import { setRetention } from '#sites/retention.ts'
import { addSite, removeSite } from '#sites/sites.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { createToken } from '#sources/tokens.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { openTestIntake, type SendOptions, type TestIntake, visit } from '../support/intake.ts'

let intake: TestIntake
const shared = serviceOfFile()
beforeEach(async () => {
  intake = await openTestIntake(await shared.fresh('2026-03-10T12:00:00Z'))
})

const ndjson = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const key = (text: string) => ({ headers: { 'idempotency-key': text } })
const operator = () => intake.service.installation.operator
const paths = async () => (await intake.facts()).map((fact) => fact.path)

describe('the same batch', () => {
  test('gets the first answer again, by its body or by its key, even with another token', async () => {
    const body = ndjson(visit(), visit(), visit({ timestamp: 'x' }))
    const first = (await intake.post(body, key('1'))).json
    expect(first).toMatchObject({ accepted: 2, rejected_count: 1 })
    intake.service.clock.advance(71 * HOUR_MS)
    const { secret } = await createToken(operator(), { source: intake.source_id, name: 'second' })
    for (const options of [key('1'), {}, key('2'), { token: secret }]) {
      expect((await intake.post(body, options)).json).toEqual(first)
    }
    expect(await paths()).toEqual(['/', '/'])
  })

  test('with an answer too long to be kept plain reads the same', async () => {
    const body = ndjson(visit(), ...Array.from({ length: 900 }, () => visit({ timestamp: 'x' })))
    const first = (await intake.post(body)).json
    expect((await intake.post(body)).json).toEqual(first)
  })

  test('at the same time is stored once and answered twice', async () => {
    const body = ndjson(visit(), visit({ path: '/a' }))
    const answers = await Promise.all(Array.from({ length: 8 }, () => intake.post(body)))
    expect(answers.map(({ status, json }) => [status, json.accepted])).toEqual(Array(8).fill([200, 2]))
    expect(await paths()).toEqual(['/', '/a'])
  })

  test('read as another dialect gets its own answer, and a request that both read is still one request', async () => {
    const body = ndjson(visit(), visit({ path: '/b' }))
    expect((await intake.post(body, { query: '?dialect=akamai', ...key('1') })).json.rejected_count).toBe(2)
    for (const query of ['', '?dialect=fastly', '?dialect=vector']) {
      expect((await intake.post(body, { query, ...key('1') })).json).toMatchObject({ accepted: 2, rejected_count: 0 })
    }
    expect(await paths()).toEqual(['/', '/b'])
  })

  test('of another sender, another source or another content is another batch', async () => {
    const body = ndjson(visit())
    await intake.post(body)
    const other = await addIntakeSource(operator(), { site_id: intake.site.id, name: 'web2' })
    await intake.post(body, { headers: { 'x-spoor-sender': 'b' } })
    await intake.post(body, { token: other.token.secret })
    await intake.post(`${body}${body}`)
    expect(await paths()).toHaveLength(5)
  })

  test('is remembered for 72 hours; afterwards its records are still the same events', async () => {
    const body = ndjson(visit())
    await intake.post(body, key('1'))
    intake.service.clock.advance(72 * HOUR_MS)
    expect(await deleteOldBatchAnswers(intake.service.installation.control.db, intake.service.clock.now())).toBe(1)
    expect((await intake.post(ndjson(visit({ path: '/b' })), key('1'))).status).toBe(200)
    await intake.post(body)
    expect(await paths()).toEqual(['/', '/b'])
  })
})

describe('an Idempotency-Key', () => {
  test('with another body is refused and stores nothing', async () => {
    await intake.post(ndjson(visit()), key('1'))
    const answer = await intake.post(ndjson(visit({ path: '/b' })), key('1'))
    expect(answer).toMatchObject({ status: 422, json: { type: 'urn:spoor:problem:key_reused' } })
    const at_once = await Promise.all([
      intake.post(ndjson(visit({ path: '/c' })), key('2')),
      intake.post(ndjson(visit({ path: '/d' })), key('2')),
    ])
    expect(at_once.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await paths()).toHaveLength(2)
  })

  test('belongs to its sender', async () => {
    await intake.post(ndjson(visit()), key('1'))
    const headers = { 'idempotency-key': '1', 'x-spoor-sender': 'b' }
    expect((await intake.post(ndjson(visit({ path: '/b' })), { headers })).status).toBe(200)
  })
})

describe('a record id', () => {
  test('makes retries in other batches duplicates', async () => {
    const records = Array.from({ length: 5 }, (_, n) => visit({ path: `/${n}`, id: `id-${n}` }))
    expect(await intake.send(records.slice(0, 3))).toMatchObject({ accepted: 3, duplicates: 0 })
    expect(await intake.send(records.slice(1))).toMatchObject({ accepted: 2, duplicates: 2 })
    expect(await intake.send([visit({ path: '/x', id: 'new' }), visit({ path: '/x', id: 'new' })])).toMatchObject({
      accepted: 1,
      duplicates: 1,
    })
    expect(await paths()).toEqual(['/0', '/1', '/2', '/3', '/4', '/x'])
  })

  test('counts once over simultaneous batches', async () => {
    const batch = (n: number) => ndjson(visit({ id: 'same' }), visit({ path: `/${n}`, id: `own-${n}` }))
    const answers = await Promise.all([1, 2, 3, 4].map((n) => intake.post(batch(n))))
    expect(answers.reduce((sum, { json }) => sum + Number(json.accepted), 0)).toBe(5)
    expect(answers.reduce((sum, { json }) => sum + Number(json.duplicates), 0)).toBe(3)
    expect(await paths()).toHaveLength(5)
  })

  test('belongs to its source, and a number is the same as its text', async () => {
    await intake.send([visit({ id: 7 })])
    expect((await intake.send([visit({ id: '7', path: '/b' })])).duplicates).toBe(1)
    const other = await addIntakeSource(operator(), { site_id: intake.site.id, name: 'web2' })
    expect((await intake.send([visit({ id: 7 })], { token: other.token.secret })).accepted).toBe(1)
  })

  test('without one, equal records are all counted', async () => {
    await intake.send([visit(), visit()])
    await intake.send([visit(), visit(), visit()])
    expect(await paths()).toHaveLength(5)
  })
})

/** Sends a batch that waits in the store until all the others are read, so that those are stored together. */
async function together(bodies: readonly { body: string; options?: SendOptions }[]) {
  const { evidence } = intake.service.crawlers
  const insert = evidence.insert.bind(evidence)
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  evidence.insert = async (...given) => {
    reached.resolve()
    await gate.promise
    return insert(...given)
  }
  const first = intake.post(ndjson(visit({ path: '/first' })))
  await reached.promise
  const others = bodies.map(({ body, options }) => intake.post(body, options))
  // Everything they wait for before the store is in this process: so many rounds of its loop are far more than they
  // need.
  for (let round = 0; round < 1_000; round++) await setImmediate()
  evidence.insert = insert
  gate.resolve()
  await first
  return Promise.all(others)
}

describe('batches that are stored together', () => {
  test('and are the same are stored once and have the same answer', async () => {
    const body = ndjson(visit({ path: '/a' }), visit({ path: '/b', id: 'b' }))
    const answers = await together([{ body }, { body, options: key('1') }, { body }])
    expect(answers.map(({ status, json }) => [status, json.accepted])).toEqual(Array(3).fill([200, 2]))
    const { db } = intake.service.crawlers.control
    expect(await db.selectFrom('intake_batches').select('batch').execute()).toHaveLength(2)
    expect(await paths()).toEqual(['/a', '/b', '/first'])
  })

  test('and name one request count it once', async () => {
    const bodies = [1, 2, 3].map((n) => ({
      body: ndjson(visit({ id: 'same' }), visit({ path: `/${n}`, id: `own-${n}` })),
    }))
    const answers = await together(bodies)
    // Which of the three is read first is not defined.
    expect(answers.map(({ json }) => `${json.accepted} ${json.duplicates}`).sort()).toEqual(['1 1', '1 1', '2 0'])
    expect(await paths()).toHaveLength(5)
  })

  test('under one key are one batch and a refusal', async () => {
    const bodies = ['/a', '/b'].map((path) => ({ body: ndjson(visit({ path })), options: key('1') }))
    expect((await together(bodies)).map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('for two sources, one of them removed in the meantime: the other is stored, and nothing of the first is left', async () => {
    const other = await addSite(operator(), { ...operator(), domain: 'example.net' })
    const { token } = await addIntakeSource(operator(), { site_id: other.id, name: 'web2' })
    const { evidence, control } = intake.service.crawlers
    const insert = evidence.insert.bind(evidence)
    evidence.insert = async (table, ...rest) => {
      if (table === 'requests') await removeSite(operator(), { account_id: other.account_id, site_id: other.id })
      evidence.insert = table === 'requests' ? insert : evidence.insert
      return insert(table, ...rest)
    }
    const gone = visit({ host: 'example.net', path: '/gone' })
    expect((await intake.post(ndjson(gone), { token: token.secret })).status).toBe(401)
    evidence.insert = insert
    expect((await intake.post(ndjson(visit()))).status).toBe(200)
    const removed = await control.db.selectFrom('removed_sites').selectAll().execute()
    expect(removed).toMatchObject([{ site_id: other.id, evidence_deleted_at: null }])
    await eraseRemovedSites(intake.service.crawlers)
    expect(await paths()).toEqual(['/'])
  })
})

describe('a store that fails between the steps', () => {
  test('leaves a batch that a retry completes, once', async () => {
    const { evidence, control } = intake.service.crawlers
    const body = ndjson(visit(), visit({ path: '/b', timestamp: '2026-02-28T10:00:00Z' }))
    const insert = evidence.insert.bind(evidence)
    let inserts = 0
    evidence.insert = async (table, ...rest) => {
      if (table === 'requests' && ++inserts === 2) throw new EvidenceError('disk_full', 'The disk is full.')
      return insert(table, ...rest)
    }
    expect(await intake.post(body)).toMatchObject({ status: 503, headers: { 'retry-after': '10' } })
    evidence.insert = insert
    const dirty = await control.db.selectFrom('dirty_days').select(['day', 'state']).orderBy('day').execute()
    expect(dirty).toEqual([
      { day: '2026-02-28', state: 'written' },
      { day: '2026-03-10', state: 'written' },
    ])
    expect(await control.db.selectFrom('coverage_intervals').selectAll().execute()).toEqual([])
    expect((await intake.post(body)).json).toMatchObject({ accepted: 2 })
    expect(await paths()).toEqual(['/b', '/'])
    await intake.service.rebuild()
    const answer = await intake.service.ask('/v1/sites/example.com/performance?window=30d&purpose=training')
    expect(answer.json.observed_request_count).toBe(2)
  })

  test('one batch that the engine refuses does not keep others out', async () => {
    const { evidence } = intake.service.crawlers
    const insert = evidence.insert.bind(evidence)
    evidence.insert = async (table, rows, count) => {
      if (table === 'requests' && Buffer.from(rows as Uint8Array).includes('/poison'))
        throw new EvidenceError('bug', 'refused')
      return insert(table, rows, count)
    }
    const sent = ['/1', '/poison', '/2', '/3'].map((path) => intake.post(ndjson(visit({ path }))))
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 500, 200, 200])
    expect(await paths()).toEqual(['/1', '/2', '/3'])
  })
})

test('deliveries for days whose deletion is pending are kept if the owner keeps these days longer', async () => {
  const { clock, crawlers } = intake.service
  const keep = (days: number) => setRetention(operator(), { site_id: intake.site.id, days })
  const old = (path: string) => visit({ path, timestamp: '2026-01-20T10:00:00Z' })
  await intake.send([old('/before')])
  await keep(30)
  expect(await enforceRetention(crawlers)).toBe(1)
  await keep(400)
  await intake.send([visit({ path: '/today' })])
  await intake.send([old('/after')])
  clock.advance(11 * MINUTE_MS)
  await enforceRetention(crawlers)
  expect(await paths()).toEqual(['/after', '/today'])
})
