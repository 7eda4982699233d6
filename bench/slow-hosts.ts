/**
 * How long an inspection takes of hosts that do not answer, send a byte at a time, never end, or redirect for ever. The
 * goal is 25 s; all of them are inspected at the same time, so that the run takes only as long as the slowest.
 */
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { inspectPage } from '#inspections/inspect-page.ts'

const crawler = readBuiltInRegistry().entry('gptbot')
if (crawler === undefined) throw new Error('GPTBot is not in the registry')
const ports = new Set<number>()

async function listen(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  ports.add(port)
  return port
}

const http = (listener: RequestListener) => listen(createServer(listener))
const tcp = (listener: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => listener(socket.on('error', () => {}))))
const drip = (first: string) => (socket: Socket) => {
  socket.write(first)
  const timer = setInterval(() => socket.write('a'), 500)
  socket.on('close', () => clearInterval(timer))
}

const HOSTS: Record<string, number> = {
  'takes a connection and keeps silent': await tcp(() => {}),
  'sends headers a byte at a time': await tcp(drip('HTTP/1.1 200 OK\r\nx-slow: ')),
  'sends a body a byte at a time': await tcp(drip('HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n')),
  'sends a body without an end': await http((_, response) => {
    const more = () => response.write(Buffer.alloc(65_536), () => response.destroyed || setImmediate(more))
    more()
  }),
  'redirects each request to the next, after 4 s': await http((request, response) => {
    const next = `/${Number(request.url?.slice(1)) + 1}`
    setTimeout(() => response.writeHead(302, { location: next }).end(), 4_000)
  }),
}

const outgoing = {
  ...readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8' }),
  allow_ports: ports,
  own_endpoints: () => [],
  resolve: async () => ['127.0.0.1'],
}

await Promise.all(
  Object.entries(HOSTS).map(async ([name, port]) => {
    const started = performance.now()
    const { result } = await inspectPage(
      {
        outgoing,
        public_url: null,
        clock: systemClock(),
        originOf: (scheme, host) => `${scheme}://${host}:${port}`,
        control_urls: [],
      },
      {
        inspection_id: 'bench',
        root_domain: 'shop.example',
        host: 'shop.example',
        path: '/1',
        crawler,
        was_clean_over_https: false,
        was_reached_over_http: false,
        fetchWithHistory: async (_scheme, robots) => robots,
      },
      new AbortController().signal,
    )
    const outcome = result.unreachable?.code ?? result.as_crawler?.state
    console.log(`${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s (${result.scheme}, ${outcome})`)
  }),
)
process.exit(0)
