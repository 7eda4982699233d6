/** Names as a name server answers for them (rules 7, 8.3). */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { resolveBy } from '#outgoing/resolve.ts'
import { safeFetch } from '#outgoing/safe-fetch.ts'
import { type DnsDouble, openDnsDouble } from '../support/dns-double.ts'
import { openWebServers } from '../support/web-server.ts'

let dns: DnsDouble
const web = openWebServers()
beforeEach(async () => {
  dns = await openDnsDouble()
})
afterEach(async () => {
  web.close()
  await dns.close()
})

/** The addresses of a name, or the code of the fault. */
const resolve = (name: string, signal = new AbortController().signal) =>
  resolveBy([dns.server])(name, signal).catch((error: unknown) => {
    if (error instanceof OutgoingRefusal) return error.system_code
    throw error
  })

test('addresses of both families', async () => {
  dns.records.set('both.example', ['192.0.2.1', '2001:db8:0:0:0:0:0:1'])
  dns.records.set('six.example', ['2001:db8:0:0:0:0:0:1'])
  expect(await resolve('both.example')).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(await resolve('six.example')).toEqual(['2001:db8::1'])
})

test('no such name, no address, and servers that fail', async () => {
  dns.records.set('mail.example', ['pointer.example'])
  dns.failing.add('broken.example')
  expect(await resolve('none.example')).toBe('ENOTFOUND')
  expect(await resolve('mail.example')).toEqual([])
  expect(await resolve('broken.example')).toBe('ESERVFAIL')
})

test('names that are aliases of each other have no address', async () => {
  dns.aliases.set('one.example', 'two.example')
  dns.aliases.set('two.example', 'one.example')
  const asked = safeFetch({ ...web.outgoing({}), resolve: resolveBy([dns.server]) }, 'http://one.example/', {
    max_bytes: 100,
    timeout_ms: 9_000,
  })
  await expect(asked).rejects.toMatchObject({ code: 'no_address', system_code: 'ENODATA' })
  expect(dns.asked.length).toBeLessThan(20)
})

test('a silent server is abandoned when the caller gives up', async () => {
  dns.silent = true
  const deadline = AbortSignal.timeout(200)
  const started = performance.now()
  expect(await resolve('slow.example', deadline)).toBe('ECANCELLED')
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('a name that resolves to an internal address the second time is refused the second time', async () => {
  const port = await web.http((_, response) => response.end('hello'))
  dns.turns.set('turning.example', [['127.0.0.1'], ['10.0.0.5']])
  const outgoing = { ...web.outgoing({}), resolve: resolveBy([dns.server]) }
  const ask = () => safeFetch(outgoing, `http://turning.example:${port}/`, { max_bytes: 100, timeout_ms: 9_000 })
  expect((await ask()).status).toBe(200)
  await expect(ask()).rejects.toMatchObject({ kind: 'invalid_input', code: 'address' })
})
