/** Checks whether a caller may call an operation, and finds its site or brand (decisions 2). */
import type { Caller } from '#accounts/caller.ts'
import { findBrand } from '#brands/find-brand.ts'
import type { Operation } from '#contract/operation.ts'
import { type Permission, SITE_PERMISSIONS, type SitePermission } from '#contract/permissions.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { ResolvedSubject } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { findAnySite, findVisibleSite } from '#sites/find-site.ts'
import type { Site } from '#sites/site.ts'
import { findSource } from './find-source.ts'
import { findToken } from './tokens.ts'

type AdmittedOperation = Pick<Operation, 'subject' | 'permission' | 'effect'>

/**
 * The site or brand of the operation, on which the caller has the operation's permission; nothing for operations
 * without one.
 * @param named the subject in the input: a site, a source, a source token or a brand.
 * @throws Refusal forbidden; site_not_found or not_found, with the same message for a missing and for a hidden subject.
 */
export async function admitCaller(
  { control }: { control: ControlStore },
  operation: AdmittedOperation,
  caller: Caller,
  named: string,
): Promise<ResolvedSubject> {
  refuseByKind(operation, caller)
  switch (operation.subject) {
    case 'installation':
    case 'account':
    case 'visible_sites':
      return {}
    case 'site':
      return {
        site:
          caller.kind === 'operator'
            ? await findAnySite({ control }, named)
            : await findVisibleSite({ control }, caller, named, sitePermission(operation.permission)),
      }
    case 'source':
    case 'token':
      return { site: await findSiteOfSource(control, operation, caller, named) }
    case 'brand':
      return { brand: await findBrand(control, caller, named, sitePermission(operation.permission)) }
  }
}

/** Refuses operations that the kind of caller may never call. @throws Refusal forbidden. */
export function refuseByKind({ permission, effect }: AdmittedOperation, caller: Caller): void {
  if (caller.kind === 'operator') return
  if (permission === 'operate' && !(caller.kind === 'session' && caller.is_operator)) {
    throw new Refusal('forbidden', 'Only operators of the installation may do this.')
  }
  if (permission === 'administer_account' && !(caller.kind === 'session' && caller.account_role === 'admin')) {
    throw new Refusal('forbidden', 'Only admins of the account may do this, signed in.')
  }
  if (permission === 'use_account' && caller.kind === 'site_key') {
    throw new Refusal('forbidden', 'A site key opens sites only.')
  }
  // The only writing operation of site keys: an owner's key may verify fixes (spec 5).
  const may_verify = caller.kind === 'site_key' && permission === 'verify_fixes'
  const may_write = caller.kind === 'session' || (caller.kind === 'account_token' && caller.may_write) || may_verify
  if (effect === 'write' && !may_write) {
    throw new Refusal('forbidden', 'This token may only read: writing needs a token with the scope write.')
  }
}

/** An operator may give a name or a prefix; others give an id, so that no text can reveal foreign sites. */
async function findSiteOfSource(
  control: ControlStore,
  { subject, permission }: AdmittedOperation,
  caller: Caller,
  named: string,
): Promise<Site> {
  const { db } = control
  const find = (text: string) => (subject === 'source' ? findSource(db, text) : sourceOfToken(db, text))
  if (caller.kind === 'operator') return findAnySite({ control }, (await find(named)).site_id)
  const missing = new Refusal('not_found', `No ${subject} with this id is visible here.`)
  if (!UUID.test(named)) throw missing
  try {
    return await findVisibleSite({ control }, caller, (await find(named)).site_id, sitePermission(permission))
  } catch (error) {
    throw error instanceof Refusal ? missing : error
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function sourceOfToken(db: ControlDb, text: string) {
  return findSource(db, (await findToken(db, text)).source_id)
}

function sitePermission(permission: Permission): SitePermission {
  if (isOfSite(permission)) return permission
  throw new Error('an operation on a site needs a permission that roles have')
}

const isOfSite = (permission: Permission): permission is SitePermission =>
  SITE_PERMISSIONS.some((known) => known === permission)
