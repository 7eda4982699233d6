import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedRequest } from './requests.ts'

type Step =
  | { args: string[] /** Keeps what it prints in this file of the folder. */; keep?: string }
  | { /** File that holds what the request needs. */ key_file: string; request(kept: string): RecordedRequest }

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot'
const CLAUDEBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)'
const CHATGPT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot'
const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const MONTHS = ['Jan', 'Feb', 'Mar']

/** The steps that fill the folder, in order; `inputs` is the folder of files for imports. */
export function prepareCommands(inputs: string): Step[] {
  mkdirSync(inputs)
  const first = join(inputs, 'access.log')
  const second = join(inputs, 'second.log')
  writeFileSync(first, logOf(40, 1))
  writeFileSync(second, logOf(5, 2))
  writeFileSync(join(inputs, 'broken.log'), 'this is not a log\n\u0000\u0001\n')
  writeFileSync(join(inputs, 'definition.json'), '{"name":"Docs","matcher":{"kind":"page","path":"/docs"}}')
  return [
    { args: ['site', 'add', 'example.com', '--json'] },
    { args: ['site', 'add', 'second.example', '--json'] },
    { args: ['site', 'add', 'removed.example', '--json'] },
    { args: ['key', 'create', '--name', 'reading', '--json'], keep: 'key.json' },
    { args: ['key', 'create', '--name', 'second only', '--site', 'second.example', '--json'] },
    { args: ['user', 'add', 'editor@example.com', '--json'] },
    { args: ['member', 'add', '--site', 'example.com', '--user', 'editor@example.com', '--role', 'editor', '--json'] },
    { args: ['import', first, '--site', 'example.com', '--server', 'web-1', '--json'] },
    { args: ['import', second, '--site', 'second.example', '--json'] },
    { args: ['source', 'add', 'example.com', '--name', 'edge', '--json'], keep: 'source.json' },
    { args: ['tracker', 'enable', 'example.com', '--json'], keep: 'tracker.json' },
    { args: ['tracker', 'key', 'create', 'example.com', '--kind', 'server', '--json'], keep: 'server.json' },
    {
      args: ['property', 'add', 'example.com', 'signup', 'plan', '--kind', 'enum', '--value', 'pro', '--value', 'free'],
    },
    { args: ['property', 'add', 'example.com', 'signup', 'seats', '--kind', 'integer'] },
    { args: ['conversion', 'add', 'example.com', '--name', 'Signup', '--event', 'signup', '--from', '2026-03-20'] },
    { args: ['conversion', 'add', 'example.com', '--name', 'Pricing', '--page', '/pricing', '--from', '2026-03-20'] },
    {
      args: [
        'funnel',
        'add',
        'example.com',
        '--name',
        'Way in',
        '--from',
        '2026-03-20',
        '--step',
        'page:/',
        '--step',
        'page:/pricing',
        '--step',
        'conversion:Signup',
      ],
    },
    ...visits(),
    {
      key_file: 'server.json',
      request: (kept) => ({
        method: 'POST',
        path: '/collect/server',
        headers: { authorization: `Bearer ${JSON.parse(kept).secret}`, 'content-type': 'application/json' },
        body: JSON.stringify([
          {
            v: 1,
            type: 'revenue',
            id: 'order-0001',
            revenue: { amount_minor: 1999, currency: 'EUR', order_id: 'A-1' },
          },
          {
            v: 1,
            type: 'revenue',
            id: 'refund-001',
            revenue: { amount_minor: 500, currency: 'EUR', order_id: 'A-1', kind: 'refund' },
          },
        ]),
      }),
    },
    {
      key_file: 'source.json',
      request: (kept) => ({
        method: 'POST',
        path: '/intake/logs',
        headers: { authorization: `Bearer ${JSON.parse(kept).token.secret}`, 'x-spoor-sender': 'edge-1' },
        body: deliveries(),
      }),
    },
  ]
}

/** Visits of several visitors, from several places, one through the whole funnel. */
function visits(): Step[] {
  const paths = ['/', '/pricing', '/docs', '/']
  return Array.from({ length: 12 }, (_, visitor): Step => {
    const events = paths.slice(0, 1 + (visitor % 4)).map((path, index) => ({
      v: 1,
      type: 'pageview',
      id: `visit-${visitor}-page-${index}`,
      url: `https://example.com${path}${index === 0 && visitor % 3 === 0 ? '?utm_source=news' : ''}`,
      ...(index === 0 && visitor % 3 === 1 ? { referrer: 'https://chatgpt.com/' } : {}),
    }))
    const signup = {
      v: 1,
      type: 'event',
      id: `visit-${visitor}-signup`,
      url: 'https://example.com/pricing',
      name: 'signup',
      props: { plan: visitor % 2 === 0 ? 'pro' : 'unknown' },
    }
    return {
      key_file: 'tracker.json',
      request: (kept) => ({
        method: 'POST',
        path: '/collect',
        headers: {
          origin: 'https://example.com',
          'content-type': 'text/plain',
          'user-agent': BROWSER,
          'x-forwarded-for': `198.51.100.${visitor + 1}`,
        },
        body: JSON.stringify(
          (visitor > 8 ? [...events, signup] : events).map((event) => ({ ...event, site: JSON.parse(kept).public_id })),
        ),
      }),
    }
  })
}

function deliveries(): string {
  return Array.from({ length: 60 }, (_, index) =>
    JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 2, 20, 11, index)).toISOString(),
      method: 'GET',
      host: 'example.com',
      path: `/edge/${index % 7}`,
      status: index % 5 === 0 ? 404 : 200,
      user_agent: index % 2 === 0 ? GPTBOT : BROWSER,
    }),
  ).join('\n')
}

function logOf(days: number, seed: number): string {
  const agents = [GPTBOT, CLAUDEBOT, CHATGPT, BROWSER, BROWSER, BROWSER]
  const end = Date.UTC(2026, 2, 20, 10)
  const lines = Array.from({ length: days * 24 }, (_, index) => {
    const at = new Date(end - (days * 24 - index) * 3_600_000).toISOString()
    const stamp = `${at.slice(8, 10)}/${MONTHS[Number(at.slice(5, 7)) - 1]}/${at.slice(0, 4)}:${at.slice(11, 19)} +0000`
    const pick = (index * 7 + seed) % 13
    return `198.51.100.${pick} - - [${stamp}] "GET /page-${pick} HTTP/1.1" ${[200, 301, 404, 500, 403][pick % 5]} 512 "-" "${agents[index % agents.length]}"`
  })
  return `${lines.join('\n')}\n`
}
