/** What the definitions of this folder share: who may call them where, and the fields that several of them name. */
import Type from 'typebox'
import { Uuid } from '../fields.ts'
import { defineOperation, type Operation } from '../operation.ts'
import type { SitePermission } from '../permissions.ts'

/** A site by id or domain. */
export const site = Type.String({ description: 'id or domain' })
/** A person by id or e-mail address. */
export const user = Type.String({ description: 'id or e-mail address' })
/** A source by id, or by a name that only one source of the installation has. */
const source = Type.String({ description: 'id or name' })
/** A brand by id or, for operators, by name. */
const brand = Type.String({ description: 'id or name' })
/** The name of the deleted subject, as a person typed it in the dashboard; a different name is a conflict. */
export const typed_name = Type.Optional(Type.String({ maxLength: 1_000 }))
/** A site as answers about it name it. */
export const siteFields = { id: Uuid, root_domain: Type.String() }

/** Without an effect an operation reads. `input`: its fields beside the one that names its subject. */
interface Steering<I extends Type.TProperties, O extends Type.TSchema> {
  effect?: Operation['effect']
  input?: I
  output: O
}

type NoFields = Record<never, never>

/** An operation on one site, by default the one that the input field `site` names; a read, where it says no more. */
export const onSite = <
  const Id extends string,
  O extends Type.TSchema,
  I extends Type.TProperties = NoFields,
  const S extends keyof typeof SITE_SUBJECTS = 'site',
>(
  id: Id,
  summary: string,
  steering: Steering<I, O> & { permission?: SitePermission; subject?: S },
) => {
  const subject = steering.subject ?? ('site' as S)
  const named = { [subject]: SITE_SUBJECTS[subject] } as Pick<typeof SITE_SUBJECTS, S>
  return define(id, summary, subject, steering.permission ?? 'read', named, steering)
}

/** The input fields that name a site, or something of one. */
const SITE_SUBJECTS = { site, source, token: Type.String() }

/** An operation on the installation, for its operators. */
export const onInstallation = <const Id extends string, O extends Type.TSchema, I extends Type.TProperties = NoFields>(
  id: Id,
  summary: string,
  steering: Steering<I, O>,
) => define(id, summary, 'installation', 'operate', {}, steering)

/** An operation on the caller's account, for its admins. */
export const onAccount = <const Id extends string, O extends Type.TSchema, I extends Type.TProperties = NoFields>(
  id: Id,
  summary: string,
  steering: Steering<I, O>,
) => define(id, summary, 'account', 'administer_account', {}, steering)

/** An operation on the brand that the input field `brand` names; a read, where it says no more. */
export const onBrand = <const Id extends string, O extends Type.TSchema, I extends Type.TProperties = NoFields>(
  id: Id,
  summary: string,
  steering: Steering<I, O> & { permission?: SitePermission },
) => define(id, summary, 'brand', steering.permission ?? 'read', { brand }, steering)

const define = <
  const Id extends string,
  const S extends Operation['subject'],
  const P extends Operation['permission'],
  N extends Type.TProperties,
  I extends Type.TProperties,
  O extends Type.TSchema,
>(
  id: Id,
  summary: string,
  subject: S,
  permission: P,
  named: N,
  { effect = 'read', input, output }: Steering<I, O>,
) =>
  defineOperation({
    id,
    summary,
    effect,
    permission,
    subject,
    output,
    input: Type.Object({ ...named, ...input }) as Type.TObject<N & I>,
    surfaces: ['operator'],
  })
