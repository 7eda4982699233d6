/**
 * The dashboard's API: every operation of both APIs and of management, and those that only it has, each at
 * `/dashboard-api/{operationId}` for people who signed in (decisions 2 and 7). No quota counts its calls.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseClosedAccount } from '#accounts/account-access.ts'
import type { Caller } from '#accounts/caller.ts'
import { isConfirmed } from '#accounts/sessions.ts'
import type { AccountApiContext } from '#brands/context.ts'
import { type AccountOperation, accountApiOperations } from '#contract/account-api/index.ts'
import { type DashboardOperation, dashboardOperations } from '#contract/dashboard-api/index.ts'
import { type ManagementOperation, managementOperations } from '#contract/management-api/index.ts'
import type { Operation } from '#contract/operation.ts'
import { operations, type SiteOperation } from '#contract/site-api/index.ts'
import type { ResolvedSubject } from '#implementation.ts'
import type { ManagementServices } from '#management-services.ts'
import { accountApiImplementations } from '../../account-api/account-api.ts'
import { csvAnswer } from '../../csv/csv-answer.ts'
import type { ListedObject } from '../../csv/list-forms.ts'
import { managementImplementations } from '../../management.ts'
import { registerOperations, type Surface, type WrittenOutput } from '../../register-operations.ts'
import { type SiteApiServices, siteApiImplementations } from '../site-api.ts'
import { type DashboardServices, dashboardImplementations } from './dashboard-operations.ts'
import { answerToDashboard, DashboardFailure } from './failures.ts'
import { needsPassword } from './needs-password.ts'
import { demandTypedName } from './needs-typed-name.ts'
import { methodOf, nameSubject, readBrandInput, readPlainInput, readSiteInput } from './read-input.ts'
import { readTheme } from './session-cookie.ts'
import { registerSignIn } from './sign-in.ts'
import { type SessionContext, type SignedInRequests, signedInRequests } from './signed-in.ts'
import { registerSiteExport } from './site-export.ts'
import { registerUploads, type UploadContext } from './uploads.ts'

/** The domain as the dashboard's API needs it. */
export interface DashboardApi extends SessionContext, Pick<UploadContext, 'importLog' | 'log'> {
  site_services: SiteApiServices
  brand_services: AccountApiContext
  management_services: ManagementServices
  /** The site or brand that an operation is about; throws a Refusal unless the caller has its permission. */
  admit(
    operation: Pick<Operation, 'subject' | 'permission' | 'effect'>,
    caller: Caller,
    named: string,
  ): Promise<ResolvedSubject>
}

/** Registers all of it, and 405 for every other method of its paths. */
export function registerDashboardApi(app: FastifyInstance, api: DashboardApi): void {
  const people = signedInRequests(app, api)
  const shared = surfaceOf(api, people)
  registerSignIn(app, api, people)
  registerUploads(app, api, people)
  registerSiteExport(app, api, people)
  registerOperations<SiteOperation, SiteApiServices>(app, {
    ...shared,
    operations,
    implementations: siteApiImplementations,
    services: api.site_services,
    readInput: (operation, request, subject) =>
      shared.confirmed(operation, request, readSiteInput(operation, request, subject)),
    writeOutput: (operation, input, output) =>
      input.format === 'csv' ? csvAnswer(operation.id, output as ListedObject) : writeJson(operation, input, output),
  })
  registerOperations<AccountOperation, AccountApiContext>(app, {
    ...shared,
    // A token reads its account; a session has getSession.
    operations: accountApiOperations.filter(({ id }) => id !== 'getAccount'),
    implementations: accountApiImplementations,
    services: api.brand_services,
    beforeSubject: async (_operation, _caller, request) => refuseClosedAccount(people.of(request).account, api.clock),
    readInput: (operation, request, { brand }, { account_id }) =>
      readBrandInput(api.brand_services, operation, request, { brand, account_id }),
  })
  registerOperations<ManagementOperation, ManagementServices>(app, {
    ...shared,
    operations: managementOperations,
    implementations: managementImplementations,
    services: api.management_services,
    readInput: (operation, request) => shared.confirmed(operation, request, readPlainInput(operation, request)),
  })
  registerOperations<DashboardOperation, DashboardServices>(app, {
    ...shared,
    operations: dashboardOperations,
    implementations: dashboardImplementations,
    services: {
      ...api.site_services,
      public_url: api.public_url,
      is_clock_simulated: api.is_clock_simulated,
      welcomeLink: (token) => api.management_services.welcomeLink(token),
    },
    readInput: async (operation, request) => {
      const input = await shared.confirmed(operation, request, readPlainInput(operation, request))
      return operation.id === 'getSession' ? { theme: readTheme(request.headers) } : input
    },
  })
}

/** What the tables share. */
function surfaceOf(api: DashboardApi, people: SignedInRequests) {
  return {
    unbuilt: ({ id }: Operation) => new Error(`${id} has no function`),
    route: (operation: Operation) => ({ method: methodOf(operation), url: `/dashboard-api/${operation.id}` }),
    authenticate: async (request: FastifyRequest) => (await people.admit(request)).caller,
    admit: (operation: Operation, caller, named) => api.admit(operation, caller, named),
    nameSubject,
    writeOutput: writeJson,
    describeFailure: answerToDashboard,
    /** The input, unless the password is needed again; looked at last, so that it is asked of those who may. */
    async confirmed(
      operation: Operation,
      request: FastifyRequest,
      reading: Promise<Readonly<Record<string, unknown>>>,
    ) {
      const input = await reading
      demandTypedName(operation.id, input)
      if (!needsPassword(operation.id, input) || isConfirmed(people.of(request).caller, api.clock)) return input
      throw new DashboardFailure('reauthentication_required', 'This needs your password again, once in ten minutes.')
    },
  } satisfies Partial<Surface<Operation, object>> & Record<string, unknown>
}

function writeJson(_operation: Operation, _input: unknown, output: object): WrittenOutput {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(output) }
}
