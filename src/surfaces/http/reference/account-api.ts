import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { AccountApiError } from '#contract/account-api/errors.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { type OpenApiOptions, renderOpenApi } from '#contract/openapi.ts'

/** The document of surface B as it is served and committed (decisions 1). Deprecated routes are in it if served. */
export const accountApiDocument = (support_email: string | null, has_deprecated_routes = true) =>
  renderOpenApi([...accountApiOperations, ...(has_deprecated_routes ? deprecatedOperations : [])], {
    ...ACCOUNT_API,
    support_email,
  })

const COUNTED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const ACCOUNT_API = {
  title: 'Spoor account API',
  version: '1.0.0',
  description:
    'Brands of an account, the questions that engines are asked about them, and what they answer. Every operation takes an account token, ' +
    'and an account may make 1,000 requests in an hour and 100,000 in 30 days, those of MCP (POST /mcp) among them. New fields may be added ' +
    'to answers: let unknown ones pass. Programs read the status and the code of a refusal, never its message.',
  server: '/',
  bearer: 'An account token: spoor_acct_…',
  answer_headers: COUNTED,
  failures: {
    body: AccountApiError,
    media_type: 'application/json',
    component: 'Error',
    descriptions: {
      400: 'Parameters or body are invalid (invalid_request, engine_not_in_plan); errors names every faulty field.',
      401: 'The token is missing, unrecognized or revoked (unauthorized).',
      403: 'The account is suspended or has no access, or the scope or the role does not suffice (forbidden).',
      404: 'The path, or what it names, does not exist for this account (not_found).',
      409: 'The state forbids it (conflict), or the account has no room for more active questions (limit_reached).',
      429: 'A quota is used up or could not be checked (rate_limited).',
      500: 'The service failed (server_error).',
    },
    headers: {
      400: COUNTED,
      401: ['WWW-Authenticate'],
      404: COUNTED,
      409: COUNTED,
      429: ['Retry-After', ...COUNTED],
      500: COUNTED,
    },
  },
  tags: {
    Account: 'Who the token is of, and what is left of its quotas.',
    Brands: 'What is asked about, and what it is compared with.',
    Report: 'How engines answer, and what they cite.',
    Questions: 'What engines are asked.',
    Answers: 'What engines said.',
    Deprecated: 'Routes that end on 26 December 2026; each names what replaces it.',
    Fixes: 'What would make engines name and cite a brand more often.',
  },
} as const satisfies Omit<OpenApiOptions, 'support_email'>
