/**
 * How many requests per second are proved against all lists together. Run: npm run bench -- proof [FOLDER of vendors'
 * lists] Without a folder the lists are generated: 40 of 250 networks each, an eighth of them IPv6. A file's
 * `_source` is its list's URL if it has one, otherwise the file's name.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '#clock.ts'
import { readConfig } from '#config.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import { type PublishedList, readList } from '#crawlers/identity/lists/read-list.ts'
import { storeListVersion } from '#crawlers/identity/lists/store-list-version.ts'
import { makeProver, type ProveRequest } from '#crawlers/identity/prover.ts'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { dayStart } from '#days/utc-day.ts'
import { row } from './parts/figures.ts'

const REQUESTS = 200_000
const ROUNDS = 10
const AT = dayStart('2026-11-21')
const clock = { now: () => AT, elapsed: () => performance.now(), shared: () => AT }

const [folder] = process.argv.slice(2)
const lists = folder === undefined ? generated() : publishedIn(folder)
const registry = readBuiltInRegistry()
const home = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const control = await openSqliteControl(join(home, 'control.sqlite'))
try {
  for (const [id, list] of lists) await storeListVersion({ control, clock }, id, list)
  const registries = { current: async () => registry }
  const prover = makeProver(
    { clock, control, registries },
    { asks_names: true, trusted_proxies: readConfig({}).trusted_proxies },
  )
  await prover.refresh()
  const prefixes = lists.flatMap(([, list]) => list.prefixes)
  console.log(`${lists.length} lists, ${prefixes.length} networks\n`)
  console.log(row('addresses', 'checks', 'proved', 'seconds', 'checks/s'))
  for (const [name, inside] of [
    ['half of them listed', 0.5],
    ['all listed', 1],
    ['none listed', 0],
  ] as const) {
    measure(name, requestsOf(prefixes, inside), prover.prove)
  }
} finally {
  await control.close()
  rmSync(home, { recursive: true })
}

function measure(name: string, requests: readonly ProveRequest[], prove: (request: ProveRequest) => string): void {
  const proved = requests.filter((request) => prove(request).includes('"in"')).length
  let characters = 0
  const started = performance.now()
  for (let round = 0; round < ROUNDS; round++) {
    for (const request of requests) characters += prove(request).length
  }
  if (characters === 0) throw new Error('nothing was held, so nothing was measured')
  const seconds = (performance.now() - started) / 1000
  const checks = requests.length * ROUNDS
  console.log(row(name, checks, proved * ROUNDS, seconds.toFixed(2), Math.round(checks / seconds).toLocaleString('en')))
}

/**
 * Each request has its own strings, as in a parsed batch; agents of all crawlers that are proved by address.
 */
function requestsOf(prefixes: readonly string[], inside: number): ProveRequest[] {
  const agents = registry.entries
    .filter((entry) => entry.verification.ip_ranges_url !== null && entry.verification.rdns_suffixes.length === 0)
    .flatMap((entry) => entry.example_user_agents)
  return Array.from({ length: REQUESTS }, (_, index) => ({
    at: AT + (index % DAY_MS),
    received_at: AT + (index % DAY_MS),
    user_agent: String(Buffer.from(agents[index % agents.length] as string)),
    address:
      index / REQUESTS < inside
        ? addressIn(prefixes[index % prefixes.length] as string)
        : `198.${18 + (index % 2)}.7.${1 + (index % 250)}`.replace('198.18', '100.1').replace('198.19', '84.9'),
    attested: true,
    verified_bot: null,
    signature_verified: false,
  }))
}

function addressIn(prefix: string): string {
  const [address = ''] = prefix.split('/')
  return address.includes(':') ? address.replace(/:[^:]*$/, ':7') : address.replace(/\.0$/, '.1')
}

function publishedIn(path: string): [string, PublishedList][] {
  return readdirSync(path)
    .filter((name) => /\.(json|txt|csv|html)$/.test(name))
    .map((name) => {
      const bytes = readFileSync(join(path, name))
      const source = /"_source"\s*:\s*"([^"]+)"/.exec(bytes.toString('utf8'))?.[1]
      return [source ?? name, readList(bytes)]
    })
}

function generated(): [string, PublishedList][] {
  return Array.from({ length: 40 }, (_, list) => {
    const networks = Array.from({ length: 250 }, (_, index) =>
      index % 8 === 0
        ? `2a0${list % 10}:${(list * 251 + index).toString(16)}::/48`
        : `${20 + (list % 60)}.${(index * 7) % 256}.${(list * 13 + index) % 256}.${(index % 16) * 16}/28`,
    )
    return [`https://vendor-${list}.example/list.json`, readList(Buffer.from(networks.join('\n')))]
  })
}
