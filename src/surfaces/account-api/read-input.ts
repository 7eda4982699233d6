/**
 * Path, parameters, body and `Idempotency-Key` of a request of surface B; all of their faults are reported together
 * (account API 1).
 */
import type { FastifyRequest } from 'fastify'
import type { AccountApiContext } from '#brands/context.ts'
import { todayOf } from '#brands/day-range.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { findReasonFaults } from '#brands/fixes/change-fix.ts'
import type { FieldFault } from '#brands/invalid-request.ts'
import { readPlanEngines } from '#brands/plan-engines.ts'
import { findQuestionFaults } from '#brands/questions/question-forms.ts'
import type { DeprecatedOperation } from '#contract/account-api/deprecated.ts'
import type { AccountOperation } from '#contract/account-api/index.ts'
import type { HttpOperation } from '#contract/operation.ts'
import { ENGINES, type Engine } from '#contract/vocabulary.ts'
import { parametersOf } from '../http/decode-input.ts'
import { RequestProblem } from '../http/problems.ts'
import { readJson, readJsonIfAny } from '../http/read-body.ts'
import { checkTarget, queryOf } from '../http/request-target.ts'
import { validatorOf } from '../register-operations.ts'
import { findBodyFaults, MAX_FAULTS } from './body-faults.ts'
import { AccountFailure, invalidRequest } from './failures.ts'
import { readParameters } from './parameters.ts'
import { type FinderContext, refuseMissing } from './refuse-missing.ts'

type ServedId = (AccountOperation | DeprecatedOperation)['id']

const BODY_LIMIT_BYTES = 256 * 1024

/** What a schema cannot say of a body. */
const FURTHER_FAULTS: Readonly<Partial<Record<ServedId, (body: unknown) => FieldFault[]>>> = {
  addQuestions: findQuestionFaults,
  acceptFix: findReasonFaults,
  dismissFix: findReasonFaults,
  completeFix: findReasonFaults,
}

/**
 * Check 7. @throws AccountFailure invalid_request with every fault, or engine_not_in_plan where that is the only one.
 * @throws Refusal not_found before any fault, where the path names what the brand does not have (check 6).
 */
export async function readAccountInput(
  ctx: FinderContext,
  operation: HttpOperation & { id: ServedId },
  request: FastifyRequest,
  about: RequestSubject,
): Promise<Readonly<Record<string, unknown>>> {
  const target = request.raw.url ?? ''
  checkTarget(target)
  return joinAccountInput(
    ctx,
    operation,
    {
      path: request.params as Readonly<Record<string, string>>,
      given: parametersOf(queryOf(target)),
      key: operation.idempotent === true ? readKey(request.headers['idempotency-key']) : { faults: [] },
      body: operation.method === 'GET' ? { faults: [] } : await readSentBody(operation, request),
    },
    about,
  )
}

/** A request in its parts, whichever surface it came by. */
export interface AccountRequestParts {
  path: Readonly<Record<string, string>>
  /** Parameters as sent, by name. */
  given: ReadonlyMap<string, readonly string[]>
  key: ReadPart
  body: ReadPart
}

/** Whom and what a request is about. */
export interface RequestSubject {
  /** Undefined where the operation is of the account. */
  brand?: FoundBrand | undefined
  account_id: string
}

/** The parts as one input. @throws AccountFailure and Refusal, as `readAccountInput`. */
export async function joinAccountInput(
  ctx: FinderContext,
  operation: HttpOperation & { id: ServedId },
  { path: named, given, key, body }: AccountRequestParts,
  { brand, account_id }: RequestSubject,
): Promise<Readonly<Record<string, unknown>>> {
  const path = Object.fromEntries(Object.entries(named).map(([name, id]) => [name, id.toLowerCase()]))
  const context = { today: todayOf(ctx.clock), own_domains: brand?.domains ?? [], path }
  const { values, ignored_parameters, faults } = readParameters(operation, given, context)
  const all = [...faults, ...key.faults, ...body.faults]
  if (all.length > 0) {
    // Without faults the operation itself finds out.
    await refuseMissing(ctx, operation.id, brand, path)
    throw invalidRequest(all)
  }
  await checkPlan(ctx, account_id, values.engines as readonly Engine[] | undefined)
  return { ...path, ...values, ...body.value, ...key.value, ignored_parameters }
}

export interface ReadPart {
  faults: FieldFault[]
  value?: Readonly<Record<string, unknown>>
}

/** At most 255 printable characters (account API 2.4). */
export function readKey(given: unknown): ReadPart {
  if (given === undefined) return { faults: [] }
  if (typeof given === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(given)) {
    return { faults: [], value: { idempotency_key: given } }
  }
  const message = 'The key must have 1 to 255 printable ASCII characters.'
  return { faults: [{ path: ['Idempotency-Key'], code: 'invalid', message }] }
}

async function readSentBody(operation: HttpOperation & { id: ServedId }, request: FastifyRequest): Promise<ReadPart> {
  const may_be_left_out = operation.body === undefined || operation.may_lack_body === true
  try {
    const body = await (may_be_left_out ? readJsonIfAny : readJson)(request.raw, BODY_LIMIT_BYTES)
    return body === undefined ? { faults: [] } : checkSentBody(operation, body)
  } catch (error) {
    if (!(error instanceof RequestProblem) || error.kind !== 'invalid_body') throw error
    return { faults: [{ path: [], code: 'invalid', message: error.message }] }
  }
}

/** A decoded body against the operation's form. */
export function checkSentBody(operation: HttpOperation & { id: ServedId }, body: unknown): ReadPart {
  if (operation.body === undefined) return { faults: emptyObjectFaults(body) }
  const faults = [...findBodyFaults(validatorOf(operation.body), body), ...(FURTHER_FAULTS[operation.id]?.(body) ?? [])]
  const places = new Set<string>()
  const isFirst = (place: string) => !places.has(place) && places.add(place) !== undefined
  const first = faults.filter(({ path }) => isFirst(JSON.stringify(path)))
  return first.length > 0
    ? { faults: first.slice(0, MAX_FAULTS) }
    : { faults: [], value: body as Record<string, unknown> }
}

/** Routes without a body take an empty object too, because some clients send one with every POST. */
function emptyObjectFaults(body: unknown): FieldFault[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return [{ path: [], code: 'invalid', message: 'This route takes no body: send none, or {}.' }]
  }
  return Object.keys(body)
    .slice(0, MAX_FAULTS)
    .map((name) => ({
      path: [name.slice(0, 100)],
      code: 'invalid',
      message: 'This route takes no body: leave it out.',
    }))
}

/** Known engines that are not in the plan have an answer of their own (spec 7.2). */
async function checkPlan(
  ctx: Pick<AccountApiContext, 'control' | 'clock'>,
  account_id: string,
  engines: readonly Engine[] | undefined,
): Promise<void> {
  if (engines === undefined) return
  const plan = (await readPlanEngines(ctx.control.db, account_id)).map(({ engine }) => engine)
  const outside = engines.filter((engine) => !plan.includes(engine))
  if (outside.length === 0) return
  const inside = ENGINES.filter((engine) => plan.includes(engine)).join(', ') || 'none yet'
  throw new AccountFailure(
    'engine_not_in_plan',
    `Not in the plan of the account: ${outside.join(', ')}. Remove them from engines; in the plan: ${inside}.`,
    {
      faults: outside.map((engine) => ({
        path: ['engines'],
        code: 'engine_not_in_plan',
        message: `${engine} is not in the plan of the account.`,
      })),
    },
  )
}
