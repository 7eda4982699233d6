/** Other accounts and their people, made through the control store: the command line knows one account. */

import { randomUUID } from 'node:crypto'
import type { IssuedSecret } from '#accounts/bearer-secret.ts'
import { createSiteKey } from '#accounts/site-keys.ts'
import type { MemberRow } from '#control/tables.ts'
import type { Site } from '#sites/site.ts'
import { addSite } from '#sites/sites.ts'
import type { TestService } from '../support/service.ts'

export interface Person {
  account_id: string
  user_id: string
}

/** A person; without an account they get one of their own. */
export async function addPerson({ installation, clock }: TestService, account?: string): Promise<Person> {
  const { db } = installation.control
  const created_at = clock.now()
  const account_id = account ?? randomUUID()
  if (account === undefined) {
    const row = { id: account_id, name: 'other', status: 'active', access: 'subscription', created_at } as const
    await db.insertInto('accounts').values(row).execute()
  }
  const user_id = randomUUID()
  await db.insertInto('users').values({ id: user_id, account_id, email: null, is_operator: 0, created_at }).execute()
  return { account_id, user_id }
}

export function addSiteOf(service: TestService, person: Person, domain: string): Promise<Site> {
  return addSite(service.installation.operator, { ...person, domain })
}

export function addKeyOf(service: TestService, person: Person, sites?: readonly Site[]): Promise<IssuedSecret> {
  const named = sites === undefined ? {} : { sites: sites.map((site) => site.id) }
  return createSiteKey(service.installation.operator, { user_id: person.user_id, name: 'test', ...named })
}

export async function addMember(
  { installation, clock }: TestService,
  person: Person,
  site: Site,
  role: MemberRow['role'],
): Promise<void> {
  const row = { site_id: site.id, user_id: person.user_id, role, created_at: clock.now() }
  await installation.control.db.insertInto('members').values(row).execute()
}

export async function removeMember({ installation }: TestService, person: Person, site: Site): Promise<void> {
  await installation.control.db
    .deleteFrom('members')
    .where('user_id', '=', person.user_id)
    .where('site_id', '=', site.id)
    .execute()
}

export async function setStatus(
  { installation }: TestService,
  person: Person,
  status: 'active' | 'suspended',
): Promise<void> {
  await installation.control.db.updateTable('accounts').set({ status }).where('id', '=', person.account_id).execute()
}
