/**
 * The thread that reads batches: what becomes of them when it fails, hangs, is closed, or is sent more than fits
 * (docs/decisions/0024).
 */

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collectKeyUses } from '#accounts/key-uses.ts'
import { rows, sql } from '#evidence/sql.ts'
import { type Intake, type IntakeOptions, openIntake } from '#intake/batches/intake.ts'
import { authenticateToken, type Deliverer } from '#sources/authenticate-token.ts'
import { answerToSender } from '#surfaces/http/intake-problems.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { GPTBOT, openTestIntake, type TestIntake, visit } from '../../support/intake.ts'

let test_intake: TestIntake
let deliverer: Deliverer
const opened: Intake[] = []
const shared = serviceOfFile()
beforeEach(async () => {
  test_intake = await openTestIntake(await shared.fresh('2026-03-10T12:00:00Z'))
  const { installation } = test_intake.service
  const found = await authenticateToken({ ...installation, uses: collectKeyUses(installation) }, test_intake.token)
  if (found === null) throw new Error('the token is known')
  deliverer = found
})
afterEach(async () => {
  vi.useRealTimers()
  for (const intake of opened.splice(0)) await intake.close()
})

const failing = new URL('../../support/failing-read.worker.ts', import.meta.url)

function open(options: IntakeOptions): Intake {
  const intake = openIntake(test_intake.service.crawlers, options)
  opened.push(intake)
  return intake
}

const bytes = (...paths: string[]) => Buffer.from(paths.map((path) => `${JSON.stringify(visit({ path }))}\n`).join(''))
const delivery = () => ({ deliverer, sender: null, idempotency_key: null, dialect: null, fields: null })
const send = (intake: Intake, ...paths: string[]) =>
  intake.receive(delivery(), async function* () {
    yield bytes(...paths)
  })

/** More than what is looked at before a body's first bytes are counted. */
const LONG = 100_000

/** A body of which the first record is there, behind so many blank lines, and the rest comes when it is asked for. */
function heldBody(path: string, blanks = 0) {
  const rest = Promise.withResolvers<Buffer>()
  const begun = Promise.withResolvers<void>()
  return {
    rest,
    begun: begun.promise,
    async *body() {
      yield Buffer.concat([Buffer.alloc(blanks, '\n'), bytes(path)])
      begun.resolve()
      yield await rest.promise
    },
  }
}

const paths = async () => (await test_intake.facts()).map((fact) => fact.path)
const outcome = (sent: Promise<unknown>) => sent.then(Object, (error: unknown) => answerToSender(error).answer)
const detail = (text: RegExp) => expect.stringMatching(text)

describe('a thread that fails', () => {
  test('reports its batch as not stored; the next batch starts another thread', async () => {
    const failures: Error[] = []
    const intake = open({ entry: failing, onFailure: (error) => failures.push(error) })
    const held = heldBody('/innocent')
    const innocent = outcome(intake.receive(delivery(), held.body))
    await held.begun
    const answers = await Promise.all([innocent, outcome(send(intake, '/crash'))])
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 503,
        body: detail(/has failed. Nothing of this batch was stored: send it/),
      })
      expect(answer.headers).toHaveProperty('retry-after')
    }
    held.rest.resolve(bytes('/late'))
    expect(failures.map(({ cause }) => String(cause))).toEqual(['Error: a fault of this test'])
    expect(await send(intake, '/a')).toMatchObject({ accepted: 1 })
    expect(await paths()).toEqual(['/a'])
  })

  test('releases all slots', async () => {
    const intake = open({ entry: failing, limits: { batches: 1, batches_of_token: 1, bytes: 100, wait_ms: 0 } })
    await expect(send(intake, '/crash')).rejects.toMatchObject({ kind: 'reader_unavailable' })
    await expect(send(intake, '/crash')).rejects.toMatchObject({ kind: 'reader_unavailable' })
    expect(await send(intake, '/a')).toMatchObject({ accepted: 1 })
  })

  test('is reported by its silence, too', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const failures: Error[] = []
    const intake = open({ entry: failing, onFailure: (error) => failures.push(error) })
    await send(intake, '/a')
    const hung = outcome(send(intake, '/hang'))
    const held = heldBody('/b')
    const other = outcome(intake.receive(delivery(), held.body))
    await held.begun
    vi.advanceTimersByTime(80_000)
    held.rest.resolve(bytes('/c'))
    expect([await hung, await other]).toMatchObject([{ status: 503 }, { status: 503 }])
    expect(failures.map(({ cause }) => String(cause))).toEqual(['Error: it has not answered for a minute'])
    expect(await send(intake, '/d')).toMatchObject({ accepted: 1 })
    expect(await paths()).toEqual(['/a', '/d'])
  })

  test('is not one that waits for a slow sender', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const failures: Error[] = []
    const intake = open({ onFailure: (error) => failures.push(error) })
    const held = heldBody('/a')
    const sent = intake.receive(delivery(), held.body)
    await held.begun
    for (let minute = 0; minute < 3; minute++) {
      vi.advanceTimersByTime(50_000)
      // A batch of the same thread: once it is answered, the pings before it are too.
      await send(intake, `/${minute}`)
    }
    held.rest.resolve(bytes('/b'))
    expect(await sent).toMatchObject({ accepted: 2 })
    expect(failures).toEqual([])
  })
})

describe('a service that stops', () => {
  test('reads the batch that was already sent', async () => {
    const { service, token } = test_intake
    const port = await service.listen()
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/intake/logs', headers })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    sending.write(bytes('/a'))
    await once(service.http.server, 'request')
    const closed = service.http.close()
    sending.end(bytes('/b'))
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    response.resume()
    await closed
    expect(await paths()).toEqual(['/a', '/b'])
  })

  test('refuses a batch that is half read and those that follow', async () => {
    const failures: Error[] = []
    const intake = open({ onFailure: (error) => failures.push(error) })
    const held = heldBody('/a')
    const sent = outcome(intake.receive(delivery(), held.body))
    await held.begun
    await intake.close()
    held.rest.resolve(bytes('/b'))
    const refused = { status: 503, body: detail(/stopping. Nothing of this batch was stored: send it again/) }
    expect([await sent, await outcome(send(intake, '/c'))]).toMatchObject([refused, refused])
    expect(failures).toEqual([])
    expect(await paths()).toEqual([])
  })
})

describe('a sender', () => {
  test('that disconnects in the middle leaves no rows and releases its slot', async () => {
    const intake = open({ limits: { batches: 1, batches_of_token: 1, bytes: 10_000, wait_ms: 0 } })
    const held = heldBody('/a')
    const sent = intake.receive(delivery(), held.body)
    await held.begun
    held.rest.reject(new Error('gone'))
    await expect(sent).rejects.toThrow('gone')
    expect(await send(intake, '/b')).toMatchObject({ accepted: 1 })
    expect(await paths()).toEqual(['/b'])
  })

  test('is asked to repeat its batch when the decoded bytes of all batches are too many', async () => {
    // One site may hold three quarters of the bytes.
    const intake = open({ limits: { batches: 3, batches_of_token: 3, bytes: Math.ceil((LONG * 4) / 3), wait_ms: 0 } })
    await send(intake, '/0')
    const held = heldBody('/1', LONG - 1_000)
    const first = intake.receive(delivery(), held.body)
    await held.begun
    expect(await outcome(send(intake, ...Array.from({ length: 10 }, (_, at) => `/2/${at}`)))).toMatchObject({
      status: 429,
    })
    expect(await send(intake, '/4')).toMatchObject({ accepted: 1 })
    held.rest.resolve(bytes('/5'))
    expect(await first).toMatchObject({ accepted: 2 })
    expect((await paths()).toSorted()).toEqual(['/0', '/1', '/4', '/5'])
  })

  test('with a body that is refused early is not read on', async () => {
    const intake = open({})
    let taken = 0
    let is_left = false
    const sent = intake.receive(delivery(), async function* () {
      try {
        for (; taken < 1_000; taken++) yield Buffer.alloc(65_536, 3)
      } finally {
        is_left = true
      }
    })
    await expect(sent).rejects.toMatchObject({ kind: 'not_readable' })
    await vi.waitFor(() => expect(is_left).toBe(true))
    expect(taken).toBeLessThan(100)
  })
})

describe('the cache of the thread', () => {
  test('are names of addresses: one that waits is stored by the service, and its answer reaches the thread', async () => {
    const { clock, crawlers } = test_intake.service
    const { names } = crawlers.prover
    const at = () => new Date(clock.now() - 1_000).toISOString()
    const yandex = (path: string) => visit({ timestamp: at(), path, user_agent: 'YandexBot/3.0', ip: '20.1.2.3' })
    await test_intake.send([yandex('/1')])
    const [waiting] = names.takeUnsaved()
    expect(waiting).toMatchObject({ address: '20.1.2.3' })
    await test_intake.send([yandex('/2')])
    expect(names.takeUnsaved()).toEqual([])
    names.learn('20.1.2.3', { suffix: '.yandex.com' })
    await test_intake.send([yandex('/3')])
    expect(await proofs()).toEqual([
      ['/1', { pending: waiting?.id }],
      ['/2', { pending: waiting?.id }],
      ['/3', { suffix: '.yandex.com' }],
    ])
  })

  test('are pages by number: each is there for the facts of every batch, even after its name was deleted', async () => {
    await test_intake.send([visit({ path: '/1' }), visit({ path: '/2', user_agent: `${GPTBOT} b` })])
    await test_intake.send([visit({ path: '/2' }), visit({ path: '/3' })])
    expect(await storedPages()).toEqual(['/1', '/2', '/3'])
    await deletePages()
    await test_intake.send([visit({ path: '/3', status: 404 }), visit({ path: '/1', status: 404 })])
    expect(await storedPages()).toEqual(['/1', '/3'])
  })
})

const proofOfPath = rows(Type.Object({ path: Type.String(), proof: Type.String() }))`
  SELECT path, proof FROM spoor.requests INNER JOIN spoor.agents USING (agent_key) ORDER BY path`
const pageNames = rows(Type.Object({ path: Type.String() }))`SELECT path FROM spoor.pages FINAL ORDER BY path`

async function proofs(): Promise<[string, unknown][]> {
  const found = await test_intake.service.crawlers.evidence.all(proofOfPath)
  return found.map(({ path, proof }) => [path, JSON.parse(proof).rdns])
}

async function storedPages(): Promise<string[]> {
  const found = await test_intake.service.crawlers.evidence.all(pageNames)
  return found.map(({ path }) => path)
}

async function deletePages(): Promise<void> {
  const { evidence } = test_intake.service.crawlers
  await evidence.run(sql`DELETE FROM spoor.pages WHERE 1`)
  await evidence.writeLock.run(() => evidence.writeLock.notePageDeletion())
}
