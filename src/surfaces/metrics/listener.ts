/** `/metrics` on a listener of its own, so that the public one never carries it (rules 7). */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { MetricsConfig } from '#config.ts'
import { repeatedHeader, repeatedHeaderDetail } from '../repeated-headers.ts'

export interface MetricsListener {
  /** For example http://127.0.0.1:9464/metrics; null when the address could not be had. */
  url: string | null
  stop(): Promise<void>
}

interface Page {
  content_type: string
  read(): Promise<string>
}

/** Far more than the scrapers of one service. */
const MAX_CONNECTIONS = 100

/** As SPOOR_METRICS_LISTEN writes it. */
export const metricsAddress = ({ host, port }: Pick<MetricsConfig, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Listens; an address in use is a warning in the log and no reason to serve nothing else. */
export async function openMetricsListener(config: MetricsConfig, page: Page, log: Logger): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    answer(config, page, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'the metrics could not be read')
      end(response, 500, 'not ok')
    })
  })
  server.maxConnections = MAX_CONNECTIONS
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, config.host, resolve)
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const address = metricsAddress(config)
    log.warn(
      { code, address },
      'no metrics are served: their address cannot be listened on, choose another SPOOR_METRICS_LISTEN',
    )
    return { url: null, async stop() {} }
  }
  server.on('error', (error) => log.warn({ err: error }, 'the metrics listener failed'))
  const { port } = server.address() as AddressInfo
  const url = `http://${metricsAddress({ ...config, port })}/metrics`
  log.info({ metrics: url }, 'metrics are served')
  return {
    url,
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

async function answer(
  { token }: MetricsConfig,
  page: Page,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const repeated = repeatedHeader(request)
  if (repeated !== null) return end(response, 400, repeatedHeaderDetail(repeated))
  if ((request.url ?? '').split('?')[0] !== '/metrics') return end(response, 404, 'Only /metrics is here.')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return end(response, 405, 'Only GET is supported.', { allow: 'GET, HEAD' })
  }
  if (token !== null && !isBearer(request.headers.authorization, token)) {
    return end(response, 401, 'Send the token as a bearer.', { 'www-authenticate': 'Bearer' })
  }
  end(response, 200, await page.read(), { 'content-type': page.content_type })
}

/** Compared as hashes, in a time that reveals nothing of the token. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (given === undefined) return false
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(given), hashOf(token))
}

function end(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
