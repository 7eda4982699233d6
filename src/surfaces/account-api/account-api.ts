/**
 * Surface B as a table: each operation with the function that answers it, and the checks in their order (account API
 * 1).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseClosedAccount } from '#accounts/account-access.ts'
import type { AccountTokenCaller, Caller } from '#accounts/caller.ts'
import { countDeprecatedUse } from '#accounts/deprecated-uses.ts'
import { wrongSecret } from '#accounts/wrong-secret.ts'
import { serveAnswer, serveAnswers } from '#brands/answers/serve-answers.ts'
import type { AccountApiContext } from '#brands/context.ts'
import { serveFix, serveFixAction, serveFixes } from '#brands/fixes/serve-fixes.ts'
import {
  serveAddedQuestions,
  serveArchivedQuestion,
  serveQuestions,
  serveRestoredQuestion,
} from '#brands/questions/serve-questions.ts'
import { readAccountOfToken } from '#brands/read-account.ts'
import { readBrand, readBrands } from '#brands/read-brands.ts'
import { serveReport } from '#brands/reports/serve-report.ts'
import { deprecatedImplementations } from '#brands/serve-deprecated.ts'
import { serveUrlReport } from '#brands/urls/serve-urls.ts'
import { type DeprecatedOperation, deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { type AccountOperation, accountApiOperations } from '#contract/account-api/index.ts'
import type { Implementations } from '#implementation.ts'
import { readBearer } from '../http/authenticate.ts'
import { type OperationTable, registerOperations } from '../register-operations.ts'
import { checkCall } from './check-call.ts'
import { AccountFailure, answerToAccountApi } from './failures.ts'
import { readAccountInput } from './read-input.ts'

export const accountApiImplementations: Implementations<AccountOperation, AccountApiContext> = {
  getAccount: (ctx) => readAccountOfToken(ctx),
  listBrands: readBrands,
  getBrand: (ctx) => readBrand(ctx),
  getBrandReport: serveReport,
  getUrlReport: serveUrlReport,
  listQuestions: serveQuestions,
  addQuestions: serveAddedQuestions,
  archiveQuestion: serveArchivedQuestion,
  restoreQuestion: serveRestoredQuestion,
  listAnswers: serveAnswers,
  getAnswer: serveAnswer,
  listFixes: serveFixes,
  getFix: serveFix,
  acceptFix: serveFixAction('accept'),
  dismissFix: serveFixAction('dismiss'),
  completeFix: serveFixAction('complete'),
}

/** The domain as surface B needs it. */
export interface AccountApi
  extends Omit<OperationTable<ServedOperation, AccountApiContext>, 'unbuilt' | 'implementations'> {
  /** The caller of an account token, or null when it is unknown, revoked or of another kind. */
  authenticate(bearer: string): Promise<AccountTokenCaller | null>
  /** Whether the deprecated routes still answer. */
  has_deprecated_routes: boolean
}

type ServedOperation = AccountOperation | DeprecatedOperation

/** The operations of the account API with their functions. */
export const accountTable = (api: AccountApi): OperationTable<ServedOperation, AccountApiContext> => ({
  ...api,
  implementations: { ...accountApiImplementations, ...deprecatedImplementations },
  unbuilt: ({ id }) => new Error(`${id} has no function`),
})

/** Registers every operation; every other method of its path is 404 (account API 1). */
export function registerAccountApi(app: FastifyInstance, api: AccountApi): void {
  registerOperations(app, {
    ...accountTable(api),
    operations: [...accountApiOperations, ...(api.has_deprecated_routes ? deprecatedOperations : [])],
    route: ({ method, path }) => ({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }),
    authenticate: ({ headers }) => readTokenCaller(api, headers.authorization),
    beforeSubject: (operation, caller, request, reply) => checkRequest(api, operation, caller, request, reply),
    readInput: (operation, request, { brand }, { account_id }) =>
      readAccountInput(api.services, operation, request, { brand, account_id }),
    writeOutput: (operation, _input, output) => ({
      status: 'success' in operation ? operation.success : 200,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(output),
      headers: api.services.keyed_batches.isReplay(output) ? { 'idempotency-replayed': 'true' } : {},
    }),
    describeFailure: answerToAccountApi,
  })
}

/** Headers by which a route says that it ends (account API 2.6); the replacement has the ids of the request. */
function deprecationOf(operation: ServedOperation, ids: Readonly<Record<string, string>>): Record<string, string> {
  if (!('deprecated' in operation)) return {}
  const { sunset } = operation.deprecated
  const replacement = operation.deprecated.replacement.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(ids[name]).toWellFormed()),
  )
  return {
    deprecation: 'true',
    sunset,
    link: `</docs#${operation.id}>; rel="deprecation", <${replacement}>; rel="successor-version"`,
  }
}

/** Check 2. @throws AccountFailure unauthorized. */
export async function readTokenCaller(
  api: Pick<AccountApi, 'authenticate'>,
  authorization: string | undefined,
): Promise<AccountTokenCaller> {
  const bearer = readBearer(authorization)
  const caller = bearer === undefined ? null : await api.authenticate(bearer)
  if (caller !== null) return caller
  throw new AccountFailure(
    'unauthorized',
    bearer === undefined
      ? 'Authorization is missing or of another scheme: send "Authorization: Bearer <account token>".'
      : (wrongSecret(bearer, 'spoor_acct_') ??
          'The token is unrecognized or revoked: send an account token (spoor_acct_…) that is in force.'),
  )
}

/** Checks 3 to 5; what passes them counts as a use of a deprecated route. */
async function checkRequest(
  api: AccountApi,
  operation: ServedOperation,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (caller.kind !== 'account_token') throw new Error('surface B knows account tokens only')
  const ids = request.params as Readonly<Record<string, string>>
  reply.headers(deprecationOf(operation, ids))
  refuseClosedAccount(caller.account, api.services.clock)
  await checkCall(api, operation, caller, ids, (headers) => void reply.headers(headers))
  if ('deprecated' in operation) await countDeprecatedUse(api.services, { ...caller, operation: operation.id })
}
