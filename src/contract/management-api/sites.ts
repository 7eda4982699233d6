import Type from 'typebox'
import { Instant, Uuid } from '../fields.ts'
import { onAccount, onInstallation, onSite, siteFields, typed_name } from './define.ts'

/** Former names that still find the site, by name. */
const aliases = { aliases: Type.Array(Type.String()) }
const whole = Type.Integer({ minimum: 0 })

export const siteOperations = [
  onAccount('site.add', 'Add a site; its first owner is who adds it', {
    effect: 'write',
    input: { domain: Type.String() },
    output: Type.Object(siteFields),
  }),
  onInstallation('site.list', 'Every site of the installation', {
    output: Type.Object({ sites: Type.Array(Type.Object({ ...siteFields, created_at: Instant })) }),
  }),
  onSite('site.rename', 'Rename a site; `keep_alias` lets its present name find it as before', {
    permission: 'rename_site',
    effect: 'write',
    input: { domain: Type.String(), keep_alias: Type.Optional(Type.Boolean()) },
    output: Type.Object({ ...siteFields, ...aliases }),
  }),
  onSite('site.aliases', 'Former names that still find a site; `forget` ends one of them', {
    permission: 'rename_site',
    effect: 'write',
    input: { forget: Type.Optional(Type.String()) },
    output: Type.Object({ ...siteFields, ...aliases }),
  }),
  onSite('site.remove', 'Remove a site with all that belongs to it; its evidence is deleted soon after', {
    permission: 'delete_site',
    effect: 'write',
    input: { typed_name },
    output: Type.Object({ ...siteFields, removed_at: Instant, revoked_key_ids: Type.Array(Uuid) }),
  }),
  onSite('site.retention', 'For how many days a site keeps evidence; `days` changes it', {
    permission: 'set_retention',
    effect: 'write',
    input: { days: Type.Optional(Type.Number()) },
    output: Type.Object({ ...siteFields, retention_days: whole }),
  }),
  onSite('site.privacy_floor', 'From how many sessions on a group of visitors is shown; `privacy_floor` changes it', {
    permission: 'set_privacy_floor',
    effect: 'write',
    input: { privacy_floor: Type.Optional(Type.Number()) },
    output: Type.Object({ ...siteFields, privacy_floor: whole }),
  }),
] as const
