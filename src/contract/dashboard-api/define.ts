/** What the definitions of this folder share: reads that only the dashboard has, and what a person does there. */
import type Type from 'typebox'
import { defineOperation, type Operation } from '../operation.ts'
import type { SitePermission } from '../permissions.ts'

interface Definition<I extends Type.TObject, O extends Type.TSchema> {
  input: I
  output: O
}

/** A read about the site that the input field `site` names. */
export const readOfSite = <const Id extends string, I extends Type.TObject, O extends Type.TSchema>(
  id: Id,
  summary: string,
  { input, output, permission = 'read' }: Definition<I, O> & { permission?: SitePermission },
) =>
  defineOperation({
    id,
    summary,
    permission,
    input,
    output,
    subject: 'site',
    effect: 'read',
    surfaces: ['dashboard'],
  })

/** A change of the site that the input field `site` names. */
export const changeOfSite = <const Id extends string, I extends Type.TObject, O extends Type.TSchema>(
  id: Id,
  summary: string,
  { input, output, permission }: Definition<I, O> & { permission: SitePermission },
) =>
  defineOperation({
    id,
    summary,
    permission,
    input,
    output,
    subject: 'site',
    effect: 'write',
    surfaces: ['dashboard'],
  })

/** An operation of everybody who signed in, about themselves and their account. */
export const ofPerson = <const Id extends string, I extends Type.TObject, O extends Type.TSchema>(
  id: Id,
  summary: string,
  { input, output, effect }: Definition<I, O> & { effect: Operation['effect'] },
) =>
  defineOperation({
    id,
    summary,
    effect,
    input,
    output,
    subject: 'account',
    permission: 'use_account',
    surfaces: ['dashboard'],
  })
