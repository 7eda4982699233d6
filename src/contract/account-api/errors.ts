/** The error body of surface B (spec 7.2). */
import Type from 'typebox'
import { oneOf } from '../fields.ts'
import { ACCOUNT_ERROR_CODES, FIELD_ERROR_CODES } from '../vocabulary.ts'

export const FieldError = Type.Object(
  {
    path: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description:
        'Keys that lead to the faulty parameter, header or member of the body; numbers count items of a list from 0.',
    }),
    message: Type.String(),
    code: oneOf(FIELD_ERROR_CODES),
  },
  { title: 'FieldError' },
)

export const AccountApiError = Type.Object(
  {
    message: Type.String({ description: 'For people. Programs read the status and the code.' }),
    code: oneOf(ACCOUNT_ERROR_CODES),
    errors: Type.Optional(Type.Array(FieldError, { description: 'Every faulty field.' })),
  },
  { title: 'AccountApiError' },
)
export type AccountApiError = Type.Static<typeof AccountApiError>
