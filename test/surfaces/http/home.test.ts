/** The page at the printed address. */

import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choosePassword } from '#accounts/choose-password.ts'
import { issueFirstLink } from '#accounts/one-time-links.ts'
import { readConfig } from '#config.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { openLog } from '#log.ts'
import { type InstallationState, registerHome } from '#surfaces/http/home/page.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { version } from '#version.ts'
import { buildHttpSurfaces } from '../../../src/main.ts'
import { fakeClock } from '../../support/clock.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

let folder: string
let installation: Installation
let server: ReturnType<typeof buildHttpSurfaces>

beforeAll(async () => {
  folder = makeTestFolder()
  const log = openLog('silent')
  const clock = fakeClock('2026-03-01T12:00:00Z')
  installation = await openInstallation({ config: { ...readConfig({}), data: folder }, clock, log, wait_ms: 0 })
  // No dashboard is built there, so the pages that stand in for it answer.
  const dashboard_folder = pathToFileURL(`${folder}/`)
  server = buildHttpSurfaces(installation, await installation.crawlers(), {
    log,
    support_email: null,
    dashboard_folder,
  })
})
afterAll(async () => {
  await server.close()
  await installation.close()
  removeTestFolder(folder)
})

const browse = (path = '/') => server.inject({ url: path, headers: { accept: 'text/html', host: 'localhost' } })

describe('the page at /', () => {
  test('is a page with a policy against foreign content, for every caller', async () => {
    for (const accept of ['text/html', 'application/json', '*/*']) {
      const page = await server.inject({ url: '/', headers: { accept, host: 'localhost' } })
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
    }
    const { body } = await browse()
    expect(body).not.toMatch(/https?:|<script|<style|style=|\son\w+=/i)
    const used = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to = '']) => to)
    expect(used).toEqual(['data:,', '/home/home.css', '/docs', '/v1/openapi.json'])
    for (const path of used.slice(1)) expect((await browse(path)).statusCode, path).toBe(200)
    expect((await server.inject({ method: 'POST', url: '/', headers: { host: 'localhost' } })).headers.allow).toBe(
      'GET, HEAD',
    )
  })

  test('shows the state of the installation and the next step, and nothing about sites and people', async () => {
    const { control, clock, operator } = installation
    const fresh = (await browse()).body
    expect(fresh).toContain(`<dd>${version}</dd>`)
    expect(fresh).toContain('<dd>running</dd>')
    expect(fresh).toContain('<dd>not chosen yet</dd>')
    expect(fresh).toContain('npx spoor report example.com')
    expect(fresh).toContain('npx spoor user reset-link')
    expect(fresh).toContain('npx spoor site add example.com')
    const link = await issueFirstLink({ control, clock }, operator.user_id)
    const email = 'owner@private.example'
    await choosePassword({ control, clock }, { token: String(link?.token), password: 'four words are enough', email })
    await runOperation(operator, 'site.add', { domain: 'private.example' })
    const { body } = await browse()
    expect(body).toContain('<dd>chosen</dd>')
    expect(body).not.toContain('reset-link')
    expect(body).not.toContain('private.example')
  })

  test('a store that does not answer is reported, with the command that finds out why', async () => {
    const failing: InstallationState = {
      ready: () => Promise.reject(new Error('no answer')),
      hasPassword: () => Promise.reject(new Error('no answer')),
    }
    const app = Fastify()
    registerHome(app, failing)
    const { statusCode, body } = await app.inject('/')
    await app.close()
    expect(statusCode).toBe(200)
    expect(body).toContain('<dd>running, but a store does not answer</dd>')
    expect(body).toContain('npx spoor doctor')
    expect(body).not.toContain('no answer')
  })
})
