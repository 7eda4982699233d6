import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import type { HttpOperation } from '#contract/operation.ts'
import { operations } from '#contract/site-api/index.ts'
import { html } from '#surfaces/http/reference/html.ts'
import { registerReference } from '#surfaces/http/reference/reference.ts'
import { siteApiImplementations } from '#surfaces/http/site-api.ts'
import { type Service, startService } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.app.close())

describe('/docs', () => {
  test('shows every operation with its parameters and statuses, and links to every schema', async () => {
    const { statusCode, body } = await service.app.inject('/docs')
    expect(statusCode).toBe(200)
    const documented: readonly HttpOperation[] = [...operations, ...accountApiOperations, ...deprecatedOperations]
    for (const operation of documented) {
      const [, section = ''] = body.split(`<section id="${operation.id}">`)
      const own = section.slice(0, section.indexOf('</section>'))
      expect(own).toContain(`<code>${operation.path}</code>`)
      for (const status of operation.refusals) expect(own).toContain(`<strong>${status}</strong>`)
      expect(own).toContain(`<strong>${operation.success ?? 200}</strong>`)
    }
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
    expect(targets.length).toBeGreaterThan(operations.length)
    for (const target of new Set(targets)) expect(body).toContain(`<section id="${target}">`)
  })

  test('leaves out deprecated routes that do not answer, as the document does', async () => {
    const app = Fastify()
    registerReference(app, { support_email: null, has_deprecated_routes: false })
    const { paths } = JSON.parse((await app.inject('/api/v1/openapi.json')).body)
    expect(new Set(Object.keys(paths))).toEqual(new Set(accountApiOperations.map(({ path }) => path)))
    expect(paths['/api/v1/brands/{brandId}/fixes'].patch).toBeUndefined()
    expect((await app.inject('/docs')).body).not.toContain('<section id="listVisibility">')
    await app.close()
  })

  test('denies no operation that is built', async () => {
    const { body } = await service.app.inject('/docs')
    const [, about = ''] = body.split('<h1')
    const intro = about.slice(0, about.indexOf('<section'))
    const denied = operations.map(({ id }) => id).filter((id) => intro.includes(`${id} `))
    expect(denied.filter((id) => siteApiImplementations[id] !== undefined)).toEqual([])
  })

  test('loads nothing from elsewhere and runs no script', async () => {
    const page = await service.app.inject('/docs')
    expect(page.body).not.toMatch(/(?:href|action)="https?:|src=|<script|style=/)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/)
    expect(page.headers['content-security-policy']).not.toMatch(/https?:|\*|unsafe/)
    const loaded = [...page.body.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, url]) => String(url))
    expect(loaded).toHaveLength(1)
    for (const url of loaded) {
      const style = await service.app.inject(url)
      expect([style.statusCode, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
      expect(style.body).not.toMatch(/url\(|@import/)
    }
  })

  test('is read only', async () => {
    const { statusCode, headers } = await service.app.inject({ method: 'POST', url: '/docs' })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('escapes its input', () => {
    expect(html`<b>${'<i>&"\''}</b>${[html`<u>${1}</u>`]}`.text).toBe('<b>&#60;i&#62;&#38;&#34;&#39;</b><u>1</u>')
  })
})
