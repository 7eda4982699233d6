/**
 * The one way in which operations are served: who calls is recognised, the site resolved and the permission checked,
 * the input read, the domain's function called, its output checked against the contract, and every failure written.
 * The order of these checks is that of rules 1; what holds for all paths is checked before, by `http/server.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Compile, type Validator } from 'typebox/compile'
import type { Caller } from '#accounts/caller.ts'
import type { Operation } from '#contract/operation.ts'
import type { Implementations, ResolvedSubject } from '#implementation.ts'
import { refuseOtherMethods } from './http/unsupported-methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** Operations with the functions that carry them out. */
export interface OperationTable<O extends Operation, Services> {
  implementations: Partial<Implementations<O, Services>>
  services: Services
  /**
   * The site or brand that an operation is about; throws a Refusal unless the caller has the operation's permission.
   */
  admit(operation: O, caller: Caller, named: string): Promise<ResolvedSubject>
  /** What is thrown for an operation without an implementation. */
  unbuilt(operation: O): Error
}

/** A table of operations as one surface serves it. */
export interface Surface<O extends Operation, Services> extends OperationTable<O, Services> {
  operations: readonly O[]
  /**
   * Where an operation is; a `:site` or `:brandId` in it names the subject, which is then resolved before anything
   * else of the request is read.
   */
  route(operation: O): { method: 'GET' | 'POST' | 'PATCH'; url: string }
  /** Throws unless the request says who calls. */
  authenticate(request: FastifyRequest): Promise<Caller>
  /** Headers of every answer, also of failures, once the caller is admitted. */
  headers?(operation: O, request: FastifyRequest): Readonly<Record<string, string>>
  /** Checks before the subject is looked up, such as quotas; headers that it sets are on every later answer. */
  beforeSubject?(operation: O, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * What the input names as the operation's subject, where no path does; it is resolved before the input is read.
   * Left out: the checked input names it.
   */
  nameSubject?(operation: O, request: FastifyRequest): Promise<string>
  /** The checked input; `subject` is what path or `nameSubject` name. */
  readInput(
    operation: O,
    request: FastifyRequest,
    subject: ResolvedSubject,
    caller: Caller,
  ): Promise<Readonly<Record<string, unknown>>>
  writeOutput(operation: O, input: Readonly<Record<string, unknown>>, output: object): WrittenOutput
  /** `operation` null: the request is of none, because its method is not supported. */
  describeFailure(error: unknown, operation: O | null): DescribedFailure
}

/** The answer of an operation as bytes; 200 where no status is given. */
export interface WrittenOutput {
  type: string
  body: string
  status?: number
  headers?: Readonly<Record<string, string>>
}

/** The answer to a failure. */
export interface FailureAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export interface DescribedFailure {
  answer: FailureAnswer
  /** The caller cannot correct it, so its cause is logged. */
  bug: boolean
}

/** What is known of a request between its hooks. */
interface Called {
  caller: Caller
  /** Undefined until it is resolved. */
  subject: ResolvedSubject | undefined
}

/** The parameters of paths that name a subject. */
const SUBJECT_PARAMETERS = ['site', 'brandId'] as const

/** Registers every operation of a surface, built or not, and 405 for every other method of its path. */
export function registerOperations<O extends Operation, Services>(
  app: FastifyInstance,
  surface: Surface<O, Services>,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const operation = (request.routeOptions.config.operation as O | undefined) ?? null
      return sendFailure(request, reply, error, surface.describeFailure(error, operation))
    })
    const methods = new Map<string, string[]>()
    for (const operation of surface.operations) {
      const { method, url } = registerOperation(scope, surface, operation)
      methods.set(url, [...(methods.get(url) ?? []), method])
    }
    for (const [url, supported] of methods) refuseOtherMethods(scope, url, supported)
  })
}

function registerOperation<O extends Operation, Services>(
  scope: FastifyInstance,
  surface: Surface<O, Services>,
  operation: O,
): { method: string; url: string } {
  const { method, url } = surface.route(operation)
  const named = SUBJECT_PARAMETERS.find((parameter) => url.includes(`:${parameter}`))
  const calls = new WeakMap<FastifyRequest, Called>()
  scope.route({
    method,
    url,
    config: { operation },
    // Before Fastify looks at the body, so that a stranger learns nothing from a refused one.
    onRequest: async (request, reply) => {
      const caller = await surface.authenticate(request)
      await surface.beforeSubject?.(operation, caller, request, reply)
      const names = request.params as Readonly<Record<string, string>>
      const subject = named === undefined ? undefined : await surface.admit(operation, caller, String(names[named]))
      calls.set(request, { caller, subject })
    },
    handler: async (request, reply) => {
      const called = calls.get(request)
      if (called === undefined) throw new Error('a request was answered before its caller was known')
      if (surface.headers !== undefined) reply.headers(surface.headers(operation, request))
      const subject =
        called.subject === undefined && surface.nameSubject !== undefined
          ? await surface.admit(operation, called.caller, await surface.nameSubject(operation, request))
          : called.subject
      const input = await surface.readInput(operation, request, subject ?? {}, called.caller)
      const output = await carryOut(surface, operation, called.caller, input, subject)
      const { type, body, status = 200, headers = {} } = surface.writeOutput(operation, input, output)
      return reply.code(status).type(type).headers(headers).send(body)
    },
  })
  return { method, url }
}

/**
 * Carries out an operation whose input was checked, and checks its output.
 * @param resolved undefined: the input names the subject.
 */
export async function carryOut<O extends Operation, Services>(
  table: OperationTable<O, Services>,
  operation: O,
  caller: Caller,
  input: Readonly<Record<string, unknown>>,
  resolved?: ResolvedSubject,
): Promise<object> {
  const subject = resolved ?? (await table.admit(operation, caller, String(input[operation.subject])))
  // The one place where an operation's exact types are given up: checks by the contract stand on both sides of the
  // call.
  const implementation = table.implementations[operation.id as O['id']] as
    | ((ctx: unknown, input: unknown) => Promise<object>)
    | undefined
  if (implementation === undefined) throw table.unbuilt(operation)
  const output = await implementation({ ...table.services, caller, ...subject }, input)
  return checkOutput(operation, output)
}

/** TRICKY: a serialiser that knows the schema writes null as 0; this one only checks (test: "null stays null"). */
function checkOutput(operation: Operation, output: object): object {
  const validator = validatorOf(operation.output)
  if (validator.Check(output)) return output
  const faults = validator.Errors(output).slice(0, 5)
  const places = faults.map((fault) => `${fault.instancePath === '' ? '/' : fault.instancePath} ${fault.message}`)
  throw new Error(`the answer of ${operation.id} violates its contract: ${places.join('; ')}`)
}

const validators = new WeakMap<object, Validator>()

/** Compiled when it is first needed: a command calls one operation of many. */
export function validatorOf(schema: Operation['output']): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validator: Validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** The one writer of error bodies; bytes, because Fastify adds a charset to text: problem+json has none (RFC 9457). */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  { answer, bug }: DescribedFailure,
): FastifyReply {
  if (bug) {
    const operation = request.routeOptions.config?.operation?.id ?? null
    request.log.error({ err: error, operation }, 'request failed')
  }
  return reply.code(answer.status).headers(answer.headers).send(Buffer.from(answer.body))
}
