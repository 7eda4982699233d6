/** Clients that send their headers or bodies byte by byte, for every place that takes a body. */
import { setTimeout as pause } from 'node:timers/promises'
import { SITE } from '#demo/stories.ts'
import { MAIN, runNode } from '../processes.ts'
import { closeAll, openSockets, type RawSocket, statusOf, trickle } from '../raw-sockets.ts'
import { check, type Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const HEADER_CLIENTS = 400
/** Headers have 15 s, which is checked every 5 s. */
const HEADERS_OVER_MS = 30_000
const BODY_CLIENTS = 20
/** Slow bodies have the 2 minutes of a request, or end earlier by a minimum rate, which is checked once per minute. */
const BODIES_OVER_MS = 200_000
const EVERY_MS = 1_000

export const slowClientScenarios: readonly Scenario[] = [
  {
    name: 'slow-headers',
    does: `${HEADER_CLIENTS} clients send their headers byte by byte`,
    holds: 'each is closed within 30 s, without having been answered as a request',
    run: async ({ installed, says }) =>
      underAttack(await installed(), async ({ service, client }) => {
        const sockets = await openSockets(service.port, HEADER_CLIENTS)
        const ends = sockets.map((raw) =>
          trickle(raw, `GET /v1/sites HTTP/1.1\r\nHost: x\r\nX-${'y'.repeat(999)}`, EVERY_MS),
        )
        try {
          const left = await untilClosed(sockets, HEADERS_OVER_MS, says)
          check(
            left === 0,
            `${left} of ${HEADER_CLIENTS} slow headers are still open after ${HEADERS_OVER_MS / 1_000} s`,
          )
          const statuses = new Set(sockets.map((raw) => statusOf(raw.received())))
          check(
            [...statuses].every((status) => [0, 400, 408].includes(status)),
            `they were answered ${[...statuses]}`,
          )
          await client.works()
          return `${HEADER_CLIENTS} closed`
        } finally {
          for (const end of ends) end()
          closeAll(sockets)
        }
      }),
  },
  {
    name: 'slow-bodies',
    does: `${BODY_CLIENTS} clients for each of nine paths announce a body and send it byte by byte`,
    holds: 'each is refused or closed within 200 s, and meanwhile another log can be imported',
    run: async ({ installed, says }) =>
      underAttack(await installed(), async (attacked) => {
        const heads = slowRequests(attacked)
        const sockets: RawSocket[] = []
        const ends: (() => void)[] = []
        try {
          for (const head of heads) {
            const opened = await openSockets(attacked.service.port, BODY_CLIENTS)
            for (const raw of opened) {
              raw.socket.write(head, 'latin1')
              ends.push(trickle(raw, ' ', EVERY_MS))
            }
            sockets.push(...opened)
          }
          await pause(2_000)
          await importBeside(attacked)
          const left = await untilClosed(sockets, BODIES_OVER_MS, says)
          const open = heads.filter((_, index) =>
            sockets.slice(index * BODY_CLIENTS, (index + 1) * BODY_CLIENTS).some((raw) => !raw.isClosed()),
          )
          check(left === 0, `${left} slow bodies are open after ${BODIES_OVER_MS / 1_000} s, of ${open.map(pathOf)}`)
          const statuses = [...new Set(sockets.map((raw) => statusOf(raw.received())))].sort()
          check(!statuses.includes(500), 'a slow body was answered 500')
          return `${sockets.length} ended (${statuses.join(', ')})`
        } finally {
          for (const end of ends) end()
          closeAll(sockets)
        }
      }),
  },
]

const pathOf = (head: string) => head.split(' ')[1]

/** Heads of requests that may send a body, each to another part of the service. */
function slowRequests({ installed, service }: Attacked): string[] {
  const { site_key, account_token, hanging_token, server_key, session, brand_id } = installed.secrets
  const origin = service.url
  const dashboard = `Cookie: spoor_session=${session}\r\nOrigin: ${origin}\r\n`
  const bearer = (secret: string) => `Authorization: Bearer ${secret}\r\n`
  const json = 'Content-Type: application/json\r\n'
  const post = (path: string, headers: string) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n${headers}Content-Length: 60000\r\n\r\n`
  return [
    post(`/v1/sites/${SITE}/access-checks`, bearer(site_key) + json),
    post(`/api/v1/brands/${brand_id}/questions`, bearer(account_token) + json),
    post('/mcp', `${bearer(account_token)}${json}Accept: application/json, text/event-stream\r\n`),
    post('/collect', 'Origin: https://example.com\r\nContent-Type: text/plain\r\n'),
    post('/collect/server', bearer(server_key) + json),
    post('/intake/logs', bearer(hanging_token)),
    post('/dashboard-api/signIn', `Origin: ${origin}\r\n${json}`),
    post('/dashboard-api/site.rename', dashboard + json),
    post(`/dashboard-api/uploadLog?site=${SITE}&label=slow`, `${dashboard}Content-Type: application/octet-stream\r\n`),
  ]
}

/** The service imports one log at a time, so a slow upload must not block others. */
async function importBeside({ installed }: Attacked): Promise<void> {
  const input =
    '203.0.113.9 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; GPTBot/1.2)"\n'
  const args = [MAIN, 'import', '-', '--site', SITE, '--json', '--data', installed.data]
  const imported = runNode(args, { input, env: installed.env }).then(() => true)
  const is_done = await Promise.race([imported, pause(120_000, false)])
  check(is_done, 'spoor import waited for 120 s behind a slow upload')
}

/** @returns how many are open at the end. */
async function untilClosed(
  sockets: readonly RawSocket[],
  within_ms: number,
  says: (text: string) => void,
): Promise<number> {
  const until = performance.now() + within_ms
  for (;;) {
    const open = sockets.filter((raw) => !raw.isClosed()).length
    says(`${open} of ${sockets.length} are open`)
    if (open === 0 || performance.now() > until) return open
    await pause(500)
  }
}
