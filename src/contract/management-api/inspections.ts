/** Spoor's own looks at a site: access checks and inspections. */
import Type from 'typebox'
import { AccessCheckOutput } from '../site-api/access-check.ts'
import { onSite, site } from './define.ts'

export const inspectionOperations = [
  onSite('check', 'What a URL of the site answers right now', {
    effect: 'read',
    permission: 'read',
    input: Type.Object({ site, url: Type.String({ description: 'an http or https URL on the site' }) }),
    output: AccessCheckOutput,
  }),
] as const
