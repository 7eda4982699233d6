/** The websites of the trial: a shop with the snippet, and pages elsewhere that link to it, under their real names. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from '../../test/support/certificate.ts'

const links = (...to: string[]) => to.map((href) => `<p><a href="${href}">${href}</a></p>`).join('')

/** Pages by host and path, with the snippet for the site's key. */
function pagesOf(snippet: (options?: string) => string): Record<string, string> {
  const shop = (body: string) => `${snippet()}<nav>${links('/', '/shoes', '/cart')}</nav>${body}`
  return {
    'www.example.com/': shop('<h1>Shop</h1>'),
    'www.example.com/shoes': shop(`<button onclick="spoor('signup', { plan: 'pro' })">sign up</button>`),
    'www.example.com/cart': shop(links('/thanks')),
    'www.example.com/thanks': shop(
      `<script>addEventListener('load', () => spoor('revenue', { amount_minor: 4999, currency: 'EUR', order_id: 'A-1' }))</script>`,
    ),
    'ask.example.com/': `${snippet('data-consent="required"')}<button onclick="spoor('consent', true)">I agree</button>`,
    'chatgpt.com/': links('http://www.example.com/?utm_source=chatgpt.com'),
    'perplexity.ai/': links('http://www.example.com/shoes'),
  }
}

export interface Shop {
  port: number
  /** The assistants' pages, which browsers request only with TLS, because they know these names. */
  tls_port: number
  close(): void
}

export async function openShop(snippet: (options?: string) => string): Promise<Shop> {
  const pages = pagesOf(snippet)
  const serve: RequestListener = (request, response) => {
    const page = pages[`${request.headers.host}${URL.parse(request.url ?? '', 'http://any.example')?.pathname}`]
    if (page === undefined) return response.writeHead(404).end()
    // From a page with TLS to a shop without, a browser sends the referrer only if the page's policy allows it.
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': 'origin' }).end(`<!doctype html>${page}`)
  }
  const servers = [createServer(serve), createTlsServer(selfSigned('chatgpt.com'), serve)] as const
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const [port, tls_port] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number]
  return {
    port,
    tls_port,
    close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
