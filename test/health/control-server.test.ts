import { beforeEach, expect, inject, test } from 'vitest'
import { systemClock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { checkHealth } from '#health/check-health.ts'
import { refuseStore } from '#installation/refuse-store.ts'
import { Refusal } from '#refusal.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

const in_postgres = inject('control_store') === 'postgres'

let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-08T12:00:00Z')
})

async function checked(control: ControlStore, evidence = async () => service.crawlers.evidence) {
  const { folder, clock } = service
  const found = await checkHealth({
    folder,
    clock,
    control,
    evidence,
    service: null,
    public_url: null,
    secrets: service.installation.secrets,
  })
  return found.filter(({ code }) => /^(control_server|stores_apart|stores_outdated|evidence_store)/.test(code))
}

/** The real store behind a server that says something else of itself. */
const saying = (version: string, now: number): ControlStore => ({
  ...service.installation.control,
  server: async () => ({ version, now }),
})

test('the doctor names the PostgreSQL server of the control store; a file has none', async () => {
  const found = await checked(service.installation.control)
  const named = { code: 'control_server', level: 'ok', message: expect.stringMatching(/^PostgreSQL \d+\.\d+ keeps/) }
  expect(found).toEqual(in_postgres ? [expect.objectContaining(named)] : [])
})

test('a server that is too old, and one whose clock differs', async () => {
  const now = systemClock().now()
  const old = await checked(saying('13.22 (Debian)', now + 3_600_000))
  expect(old).toMatchObject([
    { code: 'control_server_old', level: 'warn', message: expect.stringMatching(/13\.22/) },
    { code: 'control_server_clock', level: 'warn', message: expect.stringMatching(/server's clock reads .*machine's/) },
  ])
  expect((await checked(saying('14.0', now - 60_000))).map(({ code }) => code)).toEqual(['control_server'])
})

test('evidence of another installation', async () => {
  const evidence = async () => Promise.reject(new Refusal('conflict', 'The control store belongs to another.'))
  const reported = { code: 'stores_apart', level: 'fail', message: 'The control store belongs to another.' }
  const found = await checked(service.installation.control, evidence)
  expect(found).toContainEqual(expect.objectContaining(reported))
  expect(found.map(({ code }) => code)).not.toContain('evidence_store_failed')
})

test('evidence of an earlier release, which a start brings up to date', async () => {
  const older = refuseStore(new EvidenceError('older_schema', 'The evidence has layout 3.'))
  const evidence = async () => Promise.reject(older)
  const found = await checked(service.installation.control, evidence)
  expect(found).toContainEqual(expect.objectContaining({ code: 'stores_outdated', level: 'warn' }))
  expect(found.map(({ code }) => code)).not.toContain('evidence_store_failed')
})
