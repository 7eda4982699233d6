/** What the definitions of this folder share: who may call them where, and the fields that several of them name. */
import Type from 'typebox'
import { Uuid } from '../fields.ts'
import { defineOperation, type Operation } from '../operation.ts'
import type { SitePermission } from '../permissions.ts'

interface Steering<I extends Type.TObject, O extends Type.TSchema> {
  effect: Operation['effect']
  input: I
  output: O
}

/** An operation on one site, by default the one that the input field `site` names. */
export const onSite = <
  const Id extends string,
  I extends Type.TObject,
  O extends Type.TSchema,
  const S extends 'site' | 'source' | 'token' = 'site',
>(
  id: Id,
  summary: string,
  { effect, permission, input, output, subject }: Steering<I, O> & { permission: SitePermission; subject?: S },
) =>
  defineOperation({
    ...{ id, summary, effect, permission, input, output },
    subject: subject ?? ('site' as S),
    surfaces: ['operator'],
  })

/** An operation on the installation, for its operators. */
export const onInstallation = <const Id extends string, I extends Type.TObject, O extends Type.TSchema>(
  id: Id,
  summary: string,
  { effect, input, output }: Steering<I, O>,
) =>
  defineOperation({
    ...{ id, summary, effect, input, output },
    subject: 'installation',
    permission: 'operate',
    surfaces: ['operator'],
  })

/** An operation on the caller's account, for its admins. */
export const onAccount = <const Id extends string, I extends Type.TObject, O extends Type.TSchema>(
  id: Id,
  summary: string,
  { effect, input, output }: Steering<I, O>,
) =>
  defineOperation({
    ...{ id, summary, effect, input, output },
    subject: 'account',
    permission: 'administer_account',
    surfaces: ['operator'],
  })

/** An operation on the brand that the input field `brand` names. */
export const onBrand = <const Id extends string, I extends Type.TObject, O extends Type.TSchema>(
  id: Id,
  summary: string,
  { effect, permission, input, output }: Steering<I, O> & { permission: SitePermission },
) =>
  defineOperation({
    ...{ id, summary, effect, permission, input, output },
    subject: 'brand',
    surfaces: ['operator'],
  })

/** A site by id or domain. */
export const site = Type.String({ description: 'id or domain' })
/** A person by id or e-mail address. */
export const user = Type.String({ description: 'id or e-mail address' })
/** A source by id, or by a name that only one source of the installation has. */
export const source = Type.String({ description: 'id or name' })
/** A site as answers about it name it. */
export const siteFields = { id: Uuid, root_domain: Type.String() }
