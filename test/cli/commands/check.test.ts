/** `spoor check URL` and `spoor inspection list`, with a site on loopback and a name server of the test. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPrepared, run, runJson, type Work } from '../../support/cli.ts'
import { type DnsDouble, openDnsDouble } from '../../support/dns-double.ts'
import { openWebServers } from '../../support/web-server.ts'

let work: Work
let dns: DnsDouble
let port: number
const web = openWebServers()
beforeAll(async () => {
  work = await openPrepared()
  dns = await openDnsDouble()
  dns.records.set('shop.example', ['127.0.0.1'])
  dns.records.set('coded.shop.example', ['127.0.0.1'])
  port = await web.http((request, response) => {
    if (request.headers.host?.startsWith('coded.')) response.setHeader('content-encoding', 'rot13').end('hello')
    else if (request.url === '/robots.txt') response.end('User-agent: GPTBot\nDisallow: /private\n')
    else if (request.url === '/old') response.writeHead(301, { location: '/private/new' }).end()
    else if (request.url?.startsWith('/private')) response.setHeader('content-type', 'text/html').end('hello')
    else response.writeHead(404).end()
  })
  await runJson(['site', 'add', 'shop.example', ...here()])
})
afterAll(async () => {
  web.close()
  await dns.close()
  work.remove()
})

const here = () => ['--data', work.data]
const env = () => ({
  SPOOR_ALLOW_NETWORKS: '127.0.0.0/8',
  SPOOR_ALLOW_PORTS: String(port),
  SPOOR_DNS_SERVERS: dns.server,
})
const check = (url: string, ...more: string[]) => run(['check', url, ...here(), ...more], { env: env() })

test('a check reports what was observed, and which line of robots.txt decides for which crawler', async () => {
  const { code, stdout } = await check(`http://shop.example:${port}/private`)
  expect(code).toBe(0)
  expect(stdout).toContain(`http://shop.example:${port}/private, requested as SpoorInspector/1\n`)
  expect(stdout).toMatch(/^DNS +resolved 127\.0\.0\.1$/m)
  expect(stdout).toMatch(/^TLS +none was tried$/m)
  expect(stdout).toMatch(/^HTTP +answered\n {2}200 http:\/\/shop\.example:\d+\/private \(\d+ ms\)$/m)
  expect(stdout).toMatch(/^disallowed +line 2: \/private +GPTBot$/m)
  expect(stdout).toMatch(/^allowed +no rule +OAI-SearchBot, .* and \d+ more$/m)
  expect(stdout).toContain('\nWhat crawlers got there last is not known: no source covers it.\n')
  expect(stdout).toContain('\nLimit: other user agents may get other answers\n')
})

test('a robots.txt that cannot be read gives no decision', async () => {
  const { stdout } = await check(`http://coded.shop.example:${port}/`)
  expect(stdout).toMatch(/^unknown /m)
  expect(stdout).not.toMatch(/^(dis)?allowed /m)
  expect(stdout).toContain('\nLimit: robots.txt came in a form that Spoor cannot read')
})

test('--json has the body of the API, hops included', async () => {
  const { stdout } = await check(`http://shop.example:${port}/old#top`, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    scope: 'current_state_only',
    normalized_url: `http://shop.example:${port}/old`,
    http: { state: 'answered', hops: [{ status: 301, location: '/private/new' }, { status: 200 }], final_status: 200 },
  })
})

test('a name that does not exist is an answer', async () => {
  const { code, stdout } = await check('http://missing.shop.example/')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^DNS +failed \(ENOTFOUND\)/m)
  expect(stdout).toMatch(/^HTTP +not asked$/m)
})

test('a step that is not taken says why', async () => {
  const declined = await check('http://shop.example:22/')
  expect(declined.code).not.toBe(0)
  expect(declined.stderr).toContain('names the port 22')
  const foreign = await check('http://elsewhere.example/')
  expect(foreign.code).not.toBe(0)
  expect(foreign.stderr).toContain('is on none of the sites')
  for (const url of ['shop.example', 'ftp://shop.example/', 'http://[fe80::1%25eth0]/']) {
    const { code, stderr } = await check(url)
    expect(code).not.toBe(0)
    expect(stderr).toContain(`${JSON.stringify(url)} is not an http or https URL`)
  }
})

test('inspections are listed, none at first', async () => {
  const { code, stdout } = await run(['inspection', 'list', 'shop.example', ...here()])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No inspection yet.\n' })
  expect(await runJson(['inspection', 'list', 'shop.example', ...here()])).toEqual({ inspections: [] })
  const unlimited = await run(['inspection', 'list', 'shop.example', '--limit', '0', ...here()])
  expect(unlimited.code).not.toBe(0)
  expect(unlimited.stderr).toContain('Give a number from 1 to 500.')
})
