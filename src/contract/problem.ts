/** The error body of surface A (spec 2.7, RFC 9457). */
import Type from 'typebox'
import { PROBLEM_KINDS } from './vocabulary.ts'

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

export const Problem = Type.Object(
  {
    type: Type.Optional(
      Type.String({ description: `urn:spoor:problem:<kind>; kinds: ${PROBLEM_KINDS.join(', ')}. New kinds may come.` }),
    ),
    title: Type.String({ description: 'What went wrong, the same words for the same kind of problem.' }),
    status: Type.Integer({ description: 'The HTTP status of this answer.' }),
    detail: Type.Optional(Type.String({ description: 'The parameter, what was given, what is allowed, what to do.' })),
  },
  { title: 'Problem' },
)
export type Problem = Type.Static<typeof Problem>

/** The `type` of a problem (rules 1). */
export const problemType = (kind: string) => `urn:spoor:problem:${kind}` as const
