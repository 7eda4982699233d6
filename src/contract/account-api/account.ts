import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import type { OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { ENGINES, PLAN_BASES, TOKEN_SCOPES } from '../vocabulary.ts'
import { defineAccountOperation, REFUSALS } from './define.ts'

const Quota = Type.Object(
  {
    limit: Count,
    remaining: Count,
    resets_at: orNull(Instant),
  },
  { title: 'Quota', description: 'resets_at: when the oldest counted requests leave; null while none is counted.' },
)

export const getAccount = defineAccountOperation({
  id: 'getAccount',
  method: 'GET',
  path: '/api/v1/account',
  tag: 'Account',
  summary: 'The account, the token that asks, its plan, brands and quotas',
  subject: 'account',
  permission: 'use_account',
  effect: 'read',
  params: none,
  query: none,
  output: Type.Object(
    {
      account: Type.Object({ id: Uuid, name: Type.String(), status: oneOf(['active', 'suspended']) }),
      access: Type.Object({ state: oneOf(['subscription', 'trial', 'prelaunch']), ends_at: orNull(Instant) }),
      token: Type.Object({
        id: Uuid,
        name: Type.String(),
        prefix: Type.String(),
        scope: oneOf(TOKEN_SCOPES),
        created_at: Instant,
        last_used_at: orNull(Instant),
      }),
      plan: Type.Object({
        engines: Type.Array(Type.Object({ engine: oneOf(ENGINES), basis: oneOf(PLAN_BASES) })),
        active_question_limit: Count,
        active_question_count: Count,
      }),
      brands: Type.Array(Type.Object({ id: Uuid, name: Type.String(), domains: Type.Array(Type.String()) })),
      quotas: Type.Object({ hour: Quota, thirty_days: Quota }),
    },
    { title: 'Account' },
  ),
  refusals: REFUSALS,
  mcp: { tool: 'get_account' },
})

export type Account = OutputOf<typeof getAccount>
