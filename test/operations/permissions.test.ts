/**
 * Every operation × every role × every kind of caller, through the registrar that serves all surfaces (decisions 2).
 */
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#accounts/caller.ts'
import { PERMISSIONS } from '#accounts/roles.ts'
import { addBrand } from '#brands/brands.ts'
import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { dashboardOperations } from '#contract/dashboard-api/index.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import type { Operation } from '#contract/operation.ts'
import { ACCOUNT_PERMISSIONS, SITE_PERMISSIONS, type SitePermission } from '#contract/permissions.ts'
import { operations } from '#contract/site-api/index.ts'
import { ROLES, type Role } from '#contract/vocabulary.ts'
import { Refusal } from '#refusal.ts'
import type { Site } from '#sites/site.ts'
import { addSite } from '#sites/sites.ts'
import { admitCaller } from '#sources/admit-caller.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { registerOperations } from '#surfaces/register-operations.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { addMember, addPerson } from './people.ts'

const everyOperation: readonly Operation[] = [
  ...operations,
  ...accountApiOperations,
  ...deprecatedOperations,
  ...managementOperations,
  ...dashboardOperations,
]
/** Subjects that an input names, each a single thing that some callers may not see. */
const NAMED = ['site', 'source', 'token', 'brand']
/** Null: no member of the site. */
const STANDINGS = [...ROLES, null] as const
/** What a caller is besides its role on the site. */
const KINDS = {
  operator: { can_write: true, can_operate: true, can_administer: true },
  session: { can_write: true, can_operate: false, can_administer: false },
  session_of_admin: { can_write: true, can_operate: false, can_administer: true },
  session_of_operator: { can_write: true, can_operate: true, can_administer: false },
  account_token_to_write: { can_write: true, can_operate: false, can_administer: false },
  account_token_to_read: { can_write: false, can_operate: false, can_administer: false },
  site_key: { can_write: false, can_operate: false, can_administer: false },
} as const
type Kind = keyof typeof KINDS

let service: TestService
let app: FastifyInstance
let site: Site
let named: Record<string, string>
const people = new Map<Role | null, { account_id: string; user_id: string }>()
let caller: Caller

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const { operator } = service.installation
  const owner = await addPerson(service)
  site = await addSite(operator, { ...owner, domain: 'example.com' })
  people.set('owner', owner)
  for (const role of ['editor', 'viewer', null] as const) {
    const person = await addPerson(service, owner.account_id)
    if (role !== null) await addMember(service, person, site, role)
    people.set(role, person)
  }
  const { source, token } = await addIntakeSource(operator, { site_id: site.id, name: 'edge' })
  const names = { name: 'Example', aliases: [], domains: ['example.com'] }
  const brand = await addBrand(operator, { account_id: owner.account_id, site_id: site.id, ...names })
  named = { site: site.id, source: source.id, token: token.id, brand: brand.id }
  app = serveMarkers(service)
})
afterAll(async () => {
  await app.close()
  await service.close()
})

/** Every operation with a function that only says that it was reached, and for which site. */
function serveMarkers({ installation }: TestService): FastifyInstance {
  const markers = everyOperation.map(({ id }) => [
    id,
    async (ctx: { site?: Site; brand?: { id: string } }) => {
      throw new Refusal('not_built', ctx.site?.id ?? ctx.brand?.id ?? 'no site')
    },
  ])
  const http = Fastify()
  registerOperations<Operation, object>(http, {
    operations: everyOperation,
    implementations: Object.fromEntries(markers),
    services: {},
    admit: (operation, who, text) => admitCaller(installation, operation, who, text),
    unbuilt: ({ id }) => new Error(`${id} has no marker`),
    route: ({ id }) => ({ method: 'POST', url: `/${id}` }),
    authenticate: async () => caller,
    readInput: async (_operation, { body }) => body as Record<string, unknown>,
    writeOutput: () => ({ type: 'text/plain', body: 'no marker answers' }),
    describeFailure(error) {
      const { kind, message } = error as Refusal
      return { answer: { status: 400, headers: {}, body: JSON.stringify({ kind, message }) }, bug: false }
    },
  })
  return http
}

async function call(operation: Operation, who: Caller, input = named): Promise<{ kind: string; message: string }> {
  caller = who
  const answer = await app.inject({ method: 'POST', url: `/${operation.id}`, payload: input })
  return answer.json()
}

function callerOf(kind: Kind, role: Role | null): Caller {
  const { account_id, user_id } = people.get(role) as { account_id: string; user_id: string }
  const member = { account_id, user_id, site_ids: null }
  if (kind === 'operator') return { kind, account_id }
  if (kind === 'site_key') return { ...member, kind, key_id: randomUUID() }
  const account_role = kind === 'session_of_admin' ? 'admin' : 'member'
  if (kind.startsWith('session')) {
    const session = { session_id: randomUUID(), confirmed_at: 0 }
    return { ...member, ...session, kind: 'session', account_role, is_operator: KINDS[kind].can_operate }
  }
  const account = { status: 'active', access: 'subscription', access_ends_at: null } as const
  // Of an admin: what only people who signed in may do is refused all the same.
  const token = { token_id: randomUUID(), account_role: 'admin', account } as const
  return { ...member, ...token, kind: 'account_token', may_write: KINDS[kind].can_write }
}

function expected({ permission, effect, subject }: Operation, kind: Kind, role: Role | null): string {
  const { can_write, can_operate, can_administer } = KINDS[kind]
  if (permission === 'operate') return can_operate ? 'no site' : 'forbidden'
  if (permission === 'administer_account') return can_administer ? 'no site' : 'forbidden'
  if (permission === 'use_account') return kind === 'site_key' ? 'forbidden' : 'no site'
  // Of what writes, site keys may have fixes verified (spec 5).
  if (effect === 'write' && !can_write && !(kind === 'site_key' && permission === 'verify_fixes')) return 'forbidden'
  if (subject === 'visible_sites') return 'no site'
  const reached = subject === 'brand' ? String(named.brand) : site.id
  if (kind === 'operator') return reached
  if (role !== null && PERMISSIONS[permission as SitePermission].includes(role)) return reached
  // Everybody with a role reads the brand, so that the refusal to change it may say so.
  if (subject === 'brand' && role !== null) return 'forbidden'
  return subject === 'site' ? 'site_not_found' : 'not_found'
}

const said = ({ kind, message }: { kind: string; message: string }) => (kind === 'not_built' ? message : kind)

describe('who may call what (decisions 2)', () => {
  test.each(everyOperation.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    for (const role of STANDINGS) {
      for (const kind of Object.keys(KINDS) as Kind[]) {
        const answer = await call(operation, callerOf(kind, role))
        expect({ kind, role, answer: said(answer) }).toEqual({ kind, role, answer: expected(operation, kind, role) })
      }
    }
  })

  test('a key of named sites sees no other', async () => {
    const key = { ...callerOf('site_key', 'owner'), site_ids: [randomUUID()] } as Caller
    for (const operation of everyOperation) {
      if (operation.effect === 'write' || !NAMED.includes(operation.subject)) continue
      expect((await call(operation, key)).kind).toMatch(/not_found/)
    }
  })

  test('foreign ids have the same answer as missing ones', async () => {
    const missing = { site: randomUUID(), source: randomUUID(), token: randomUUID(), brand: randomUUID() }
    const stranger = callerOf('session', null)
    for (const operation of everyOperation) {
      if (!NAMED.includes(operation.subject)) continue
      expect(await call(operation, stranger)).toEqual(await call(operation, stranger, missing))
    }
  })
})

describe('the contract', () => {
  test('has each id once', () => {
    const ids = everyOperation.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(everyOperation.map((operation) => [operation.id, operation] as const))(
    '%s names what its permission is asked of',
    (_id, { subject, permission, input, effect, surfaces }) => {
      expect(surfaces.length).toBeGreaterThan(0)
      expect(subject === 'installation').toBe(permission === 'operate')
      const of_account = ACCOUNT_PERMISSIONS.some((known) => known === permission)
      expect(subject === 'account').toBe(of_account)
      if (permission !== 'operate' && !of_account) expect(SITE_PERMISSIONS).toContain(permission)
      if (surfaces.includes('operator') && !['installation', 'account'].includes(subject))
        expect(input.properties).toHaveProperty([subject])
      if (permission === 'read') expect(effect).toBe('read')
    },
  )
})
