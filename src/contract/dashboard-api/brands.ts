/** What the pages about brands need besides the operations of surface B. */
import Type from 'typebox'
import { Count, oneOf } from '../fields.ts'
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
