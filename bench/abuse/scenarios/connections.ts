/** Connections that are idle, send oversized headers, break off, or vanish without closing. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { SITE } from '#demo/stories.ts'
import { atExit } from '../at-exit.ts'
import { HONEST_SITE } from '../installed.ts'
import { closeAll, openSocket, openSockets, statusOf } from '../raw-sockets.ts'
import { check, type Round, type Scenario } from '../scenario.ts'
import type { Service } from '../service.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const IDLE = 1_000
const IDLE_MS = 30_000
/** Files that the engine and the honest client may have opened since. */
const OWN_FILES = 100
const CLOSE_MS = 30_000
const FLOOD_MS = 20_000
const FLOOD_CLIENTS = 40
/** A loopback address that no other program uses, so that a firewall rule affects nothing else. */
const VANISHING = '127.9.9.9'
const HALF_OPEN = 300
const HALF_OPEN_MS = 30_000
/** Headers have 15 s, which is checked every 5 s. */
const REFUSAL_MS = 30_000
const REFUSED_HEADERS = [0, 400, 401, 404, 414, 431]

export const connectionScenarios: readonly Scenario[] = [
  {
    name: 'header-floods',
    does: `${FLOOD_CLIENTS} clients send thousands of headers, headers of a megabyte and endless URLs, for ${FLOOD_MS / 1_000} s`,
    holds: 'each is refused with 4xx or closed',
    run: async ({ installed, random }) =>
      underAttack(await installed(), async ({ service, client }) => {
        const counts = new Map<number, number>()
        await during(FLOOD_MS, FLOOD_CLIENTS, async () => {
          const raw = await openSocket(service.port)
          raw.socket.write(floodOf(random()), 'latin1')
          const until = performance.now() + REFUSAL_MS
          while (statusOf(raw.received()) === 0 && !raw.isClosed() && performance.now() < until) await pause(10)
          const status = statusOf(raw.received())
          check(status !== 0 || raw.isClosed(), `a flood was neither refused nor closed within ${REFUSAL_MS / 1_000} s`)
          counts.set(status, (counts.get(status) ?? 0) + 1)
          raw.socket.destroy()
        })
        const statuses = [...counts.keys()]
        check(
          statuses.every((status) => REFUSED_HEADERS.includes(status)),
          `floods were answered ${statuses}`,
        )
        await client.works()
        return [...counts].map(([status, times]) => `${times} × ${status === 0 ? 'closed' : status}`).join(', ')
      }),
  },
  {
    name: 'idle-connections',
    does: `${IDLE} connections send nothing, and ${IDLE} more made one request and stay, for ${IDLE_MS / 1_000} s`,
    holds: 'others are served, and the service has no more files open afterwards',
    run: async ({ installed, says }) =>
      underAttack(await installed(), async ({ service, client }) => {
        const files = service.openFiles()
        const silent = await openSockets(service.port, IDLE)
        const kept = await openSockets(service.port, IDLE)
        for (const { socket } of kept) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
        try {
          says(`${IDLE * 2} connections are open`)
          await pause(IDLE_MS)
          await client.works()
          const open = [...silent, ...kept].filter((raw) => !raw.isClosed()).length
          const answered = kept.filter((raw) => statusOf(raw.received()) === 200).length
          check(answered === IDLE, `${answered} of ${IDLE} connections were answered`)
          closeAll([...silent, ...kept])
          await haveClosed(service, files + OWN_FILES)
          return `${answered} answered, ${open} still open`
        } finally {
          closeAll([...silent, ...kept])
        }
      }),
  },
  {
    name: 'lazy-readers',
    does: `${HALF_OPEN} clients ask for large answers again and again and read none of them, for ${HALF_OPEN_MS / 1_000} s`,
    holds: 'others are served, in bounded memory',
    run: async ({ installed }) =>
      underAttack(await installed(), async ({ service, client }) => {
        const sockets = await openSockets(service.port, HALF_OPEN)
        try {
          for (const { socket } of sockets) {
            socket.pause()
            socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200))
          }
          await pause(HALF_OPEN_MS)
          await client.works()
          return `${HALF_OPEN} unread`
        } finally {
          closeAll(sockets)
        }
      }),
  },
  {
    name: 'half-open',
    does: `${HALF_OPEN} clients vanish in the middle of a request or an answer (a firewall drops every packet of theirs), and ${HALF_OPEN} send SYN and never ACK`,
    holds: 'others are served',
    cannotRun: cannotFilter,
    run: async (round) => underAttack(await round.installed(), (attacked) => vanish(attacked, round)),
  },
  {
    name: 'resets',
    does: `${FLOOD_CLIENTS} clients reset their connection in the middle of batches, events, calls and answers, for ${FLOOD_MS / 1_000} s`,
    holds: 'nothing of a batch or event that broke off is counted',
    run: async ({ installed, random }) =>
      underAttack(await installed(), async (attacked) => {
        const requests = brokenRequests(attacked)
        let broken = 0
        await during(FLOOD_MS, FLOOD_CLIENTS, async () => {
          const raw = await openSocket(attacked.service.port)
          const request = requests[Math.floor(random() * requests.length)] as string
          raw.socket.write(request, 'latin1')
          await pause(random() * 60)
          raw.socket.resetAndDestroy()
          broken++
        })
        await attacked.client.works()
        return `${broken} resets`
      }),
  },
]

/** Waits until the service has let go of the connections that were closed. */
async function haveClosed(service: Service, at_most: number): Promise<void> {
  const until = performance.now() + CLOSE_MS
  while (service.openFiles() > at_most) {
    check(
      performance.now() < until,
      `${service.openFiles()} files are open after ${CLOSE_MS / 1_000} s, not ${at_most}`,
    )
    await pause(100)
  }
}

function floodOf(chosen: number): string {
  const start = 'GET /v1/sites HTTP/1.1\r\nHost: x\r\n'
  if (chosen < 0.25) return `${start}${Array.from({ length: 4_000 }, (_, at) => `X-${at}: 1\r\n`).join('')}\r\n`
  if (chosen < 0.5) return `${start}X-Large: ${'x'.repeat(1 << 20)}\r\n\r\n`
  if (chosen < 0.75) return `GET /v1/sites?${'a=b&'.repeat(50_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
  return `${start}${'Cookie: spoor_session=x\r\nAuthorization: Bearer x\r\n'.repeat(900)}\r\n`
}

/** Beginnings of requests that announce more than they send, with records that must never be counted. */
function brokenRequests({ installed, service }: Attacked): string[] {
  const { hanging_token, public_key, site_key, account_token, session } = installed.secrets
  const agent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
  const record = JSON.stringify({ timestamp: Date.now() - 86_400_000, path: '/broken', status: 200, user_agent: agent })
  const event = JSON.stringify({
    v: 1,
    site: public_key,
    type: 'pageview',
    url: `https://${HONEST_SITE}/broken`,
    id: 'broken-event-1',
  })
  const host = `Host: 127.0.0.1:${service.port}\r\n`
  const bearer = (secret: string) => `Authorization: Bearer ${secret}\r\n`
  const batch = `${record}\n`.repeat(400)
  const [, day, month, year] = new Date(Date.now() - 86_400_000).toUTCString().split(' ')
  const line = `1.2.3.4 - - [${day}/${month}/${year}:10:00:00 +0000] "GET /broken HTTP/1.1" 200 5 "-" "${agent}"\n`
  return [
    `POST /intake/logs HTTP/1.1\r\n${host}${bearer(hanging_token)}Content-Length: 500000\r\n\r\n${batch}`,
    `POST /intake/logs HTTP/1.1\r\n${host}${bearer(hanging_token)}Transfer-Encoding: chunked\r\n\r\n${batch.length.toString(16)}\r\n${batch}\r\n`,
    `POST /collect HTTP/1.1\r\n${host}Origin: https://${HONEST_SITE}\r\nUser-Agent: Chrome/142\r\nContent-Length: 2000\r\n\r\n${event}`,
    `POST /mcp HTTP/1.1\r\n${host}${bearer(account_token)}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"jsonrpc"`,
    `POST /dashboard-api/uploadLog?site=${HONEST_SITE}&label=broken HTTP/1.1\r\n${host}Origin: ${service.url}\r\nCookie: spoor_session=${session}\r\nContent-Type: application/octet-stream\r\nContent-Length: 900000\r\n\r\n${line.repeat(300)}`,
    `GET /v1/openapi.json HTTP/1.1\r\n${host}\r\n`.repeat(20),
    `GET /v1/sites/${SITE}/top-pages?window=90d HTTP/1.1\r\n${host}${bearer(site_key)}\r\n`.repeat(3),
  ]
}

/** Runs a task in several workers for some time; throws what one of them throws. */
async function during(ms: number, workers: number, task: () => Promise<void>): Promise<void> {
  const until = performance.now() + ms
  const work = async () => {
    while (performance.now() < until) await task()
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function vanish({ service, client, installed }: Attacked, { random, says }: Round): Promise<string> {
  const host = `Host: 127.0.0.1:${service.port}\r\n`
  const sockets = await openSockets(service.port, HALF_OPEN, VANISHING)
  for (const { socket } of sockets) {
    const chosen = random()
    if (chosen < 0.3) socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
    else if (chosen < 0.6) {
      const bearer = `Authorization: Bearer ${installed.secrets.hanging_token}\r\n`
      socket.write(`POST /intake/logs HTTP/1.1\r\n${host}${bearer}Content-Length: 90000\r\n\r\n{"timestamp":1`)
    } else if (chosen < 0.8) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  }
  // As they come in: a SYN-ACK that cannot be sent ends its half-open connection within seconds.
  const drop = ['-s', '-d'].map((side) => ['INPUT', side, VANISHING, '-j', 'DROP'])
  const removeRules = () => {
    for (const rule of drop) removeQuietly(rule)
  }
  const forget = atExit(removeRules)
  for (const rule of drop) filter('-I', rule)
  try {
    closeAll(sockets)
    // Their SYN arrives, its answer does not.
    filter('-D', drop[0] as string[])
    const half = Array.from({ length: HALF_OPEN }, () => openSocket(service.port, VANISHING))
    says(`${HALF_OPEN} clients are gone`)
    await pause(HALF_OPEN_MS)
    const held = halfOpenTo(service.port)
    check(held >= HALF_OPEN / 2, `the kernel holds ${held} of ${HALF_OPEN} half-open connections`)
    filter('-I', drop[0] as string[])
    await client.works()
    // Without the rules, the kernel ends the remaining connections by resets.
    for (const rule of drop) filter('-D', rule)
    closeAll(await Promise.all(half))
    return `${HALF_OPEN} vanished, ${held} half open`
  } finally {
    removeRules()
    forget()
  }
}

/** Connections to this port of which the kernel has the SYN alone (state 03, SYN_RECV). */
function halfOpenTo(port: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const held = new RegExp(`^ *\\d+: [0-9A-F]{8}:${local} [0-9A-F]{8}:[0-9A-F]{4} 03 `, 'gm')
  return (readFileSync('/proc/net/tcp', 'utf8').match(held) ?? []).length
}

function filter(how: '-I' | '-D', rule: readonly string[]): void {
  execFileSync('iptables', [how, ...rule], { stdio: 'pipe' })
}

function removeQuietly(rule: readonly string[]): void {
  try {
    filter('-D', rule)
  } catch {
    // It has already been removed.
  }
}

function cannotFilter(): string | null {
  try {
    execFileSync('iptables', ['-n', '-L', 'INPUT'], { stdio: 'pipe' })
    return null
  } catch {
    return 'iptables is missing or not permitted'
  }
}
