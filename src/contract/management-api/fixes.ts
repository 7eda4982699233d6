import Type from 'typebox'
import { Fix } from '../account-api/fixes.ts'
import { Count, oneOf, Uuid } from '../fields.ts'
import { FIX_KINDS, FIX_STATUS_FILTERS } from '../vocabulary.ts'
import { onBrand } from './define.ts'

const change = { permission: 'act_on_fixes', effect: 'write' } as const
const one = { fix: Uuid }
const seen = { ...one, version: Type.Optional(Type.Integer({ minimum: 1 })) }

export const fixOperations = [
  onBrand('fix.list', 'The fixes of a brand, newest first', {
    input: {
      kind: Type.Optional(oneOf(FIX_KINDS)),
      status: Type.Optional(oneOf(FIX_STATUS_FILTERS)),
      limit: Type.Integer({ minimum: 1, maximum: 10_000 }),
      offset: Type.Integer({ minimum: 0 }),
    },
    output: Type.Object({ fixes: Type.Array(Fix), total_count: Count }),
  }),
  onBrand('fix.show', 'One fix with its evidence', { input: one, output: Fix }),
  onBrand('fix.accept', 'Take on an open fix', { ...change, input: seen, output: Fix }),
  onBrand('fix.dismiss', 'Drop an open or accepted fix', {
    ...change,
    input: { ...seen, reason: Type.Optional(Type.String({ maxLength: 500 })) },
    output: Fix,
  }),
  onBrand('fix.complete', 'Say that an accepted fix is done', { ...change, input: seen, output: Fix }),
  onBrand('fix.reopen', 'Open a completed or dismissed fix again', { ...change, input: seen, output: Fix }),
  onBrand('fix.remove', 'Delete a fix for good; the same evidence may make it again', {
    ...change,
    input: seen,
    output: Type.Object({ id: Uuid, title: Type.String() }),
  }),
] as const
