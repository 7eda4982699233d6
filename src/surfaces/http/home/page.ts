/**
 * The page at `/` where the dashboard is not built: what Spoor is, how this installation is, and what to do next.
 * Anybody who reaches the address can read it, so it says nothing about sites, people, keys or evidence (rules 7).
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { version } from '#version.ts'
import { type Html, html } from '../reference/html.ts'
import { pagePolicy } from '../safe-headers.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'

export interface InstallationState {
  /** Whether both stores answer (`health/ready.ts`). */
  ready(): Promise<boolean>
  /** Whether anybody has chosen a password. */
  hasPassword(): Promise<boolean>
}

/** Serves the start page of a service whose dashboard is not built. */
export function registerHome(app: FastifyInstance, state: InstallationState): void {
  app.get('/', async (_request, reply) => {
    const [is_ready, has_password] = await Promise.all([
      state.ready().catch(() => false),
      // Null: the store that would know does not answer.
      state.hasPassword().catch(() => null),
    ])
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(renderHome({ is_ready, has_password }).text)
  })
  app.get(STYLE_URL, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLE),
  )
  for (const url of ['/', STYLE_URL]) refuseOtherMethods(app, url, ['GET'])
}

const STYLE_URL = '/home/home.css'
const STYLE = readFileSync(new URL('home.css', import.meta.url), 'utf8')

const POLICY = pagePolicy("style-src 'self'")

interface HomeState {
  is_ready: boolean
  has_password: boolean | null
}

const renderHome = (state: HomeState): Html => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Spoor</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${STYLE_URL}">
  </head>
  <body>
    <main>
      <h1>Spoor</h1>
      <p>Which AI crawlers really came to your sites, to which pages, and what did they get? Spoor answers from your own access
        logs, and every answer says how complete its evidence is.</p>
      <h2>This installation</h2>
      <dl>
        <dt>Service</dt>
        <dd>${state.is_ready ? 'running' : 'running, but a store does not answer'}</dd>
        <dt>Version</dt>
        <dd>${version}</dd>
        <dt>Password</dt>
        <dd>${PASSWORD.get(state.has_password) ?? 'unknown while a store does not answer'}</dd>
      </dl>
      <p>The dashboard is not built here. It is built by <code>npm ci</code>, unless that leaves development dependencies out.</p>
      <h2>Next</h2>
      <p>In the folder where Spoor is installed:</p>
      <ol>
        ${stepsFor(state)}
      </ol>
      <h2>Read more</h2>
      <ul>
        <li><a href="/docs">API reference</a></li>
        <li><a href="/v1/openapi.json">OpenAPI document</a></li>
      </ul>
    </main>
  </body>
</html>
`

const PASSWORD: ReadonlyMap<boolean | null, string> = new Map([
  [true, 'chosen'],
  [false, 'not chosen yet'],
])

function stepsFor({ is_ready, has_password }: HomeState): Html[] {
  const steps = [
    ...(is_ready ? [] : [['Find out what is wrong', 'npx spoor doctor']]),
    ...(has_password === false
      ? [
          [
            "Open the link that the first start printed and choose the operator's password, or make a new link",
            'npx spoor user reset-link',
          ],
        ]
      : []),
    ['Add your site', 'npx spoor site add example.com'],
    ['Import an access log', 'npx spoor import example.com /var/log/nginx/access.log'],
    ['Read which crawlers came, and to which pages', 'npx spoor report example.com'],
    ['Make a key to read the answers through the API', 'npx spoor key create --name reading'],
  ] as const
  return steps.map(([what, command]) => html`<li>${what}: <pre><code>${command}</code></pre></li>`)
}
