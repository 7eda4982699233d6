/** What the pages about brands need besides the operations of surface B. */
import Type from 'typebox'
import { Count, oneOf, Uuid } from '../fields.ts'
import { ManagedAliasRule } from '../management-api/brands.ts'
import { defineOperation } from '../operation.ts'
import { none } from '../parameters.ts'
import { ENGINES, PLAN_BASES } from '../vocabulary.ts'
import { ofPerson } from './define.ts'

export const getPlan = ofPerson('getPlan', 'The engines of the account, and room for questions', {
  effect: 'read',
  input: none,
  output: Type.Object({
    engines: Type.Array(Type.Object({ engine: oneOf(ENGINES), basis: oneOf(PLAN_BASES) })),
    active_question_limit: Count,
    active_question_count: Count,
  }),
})

const alias_rules = Type.Array(ManagedAliasRule)

export const getAliasRules = defineOperation({
  id: 'getAliasRules',
  summary: 'When aliases of a brand and its competitors count, where they do not always',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  surfaces: ['dashboard'],
  input: Type.Object({ brand: Type.String({ description: 'id' }) }),
  output: Type.Object({
    id: Uuid,
    alias_rules,
    competitors: Type.Array(Type.Object({ id: Uuid, alias_rules })),
  }),
})
