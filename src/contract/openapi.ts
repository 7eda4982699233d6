/** Operations in, OpenAPI 3.1 document out. Schemas with a title become shared components. */
import type Type from 'typebox'
import { describeFields, FIELD_WORDS } from './describe-schemas.ts'
import { addressesSite, CSV_MEDIA_TYPE, type CsvForm, type FailureStatus, type HttpOperation } from './operation.ts'

export interface OpenApiOptions {
  title: string
  version: string
  description: string
  /** Null leaves the contact out (spec 9.7). */
  support_email: string | null
  /** What each tag gathers, in the order of the document; an operation's tag that is missing here is a mistake. */
  tags: Readonly<Record<string, string>>
  /** Where the operations are served; a relative address follows the document. */
  server: string
  /** A real answer of each operation, by its id; an operation may have none. */
  examples?: Readonly<Record<string, { answer: unknown }>>
  /** What a caller sends as bearer. */
  bearer: string
  /** Headers of every successful answer, besides the id of the request. */
  answer_headers: readonly HeaderName[]
  failures: FailureForm
}

/** How a surface answers what it refuses. */
export interface FailureForm {
  body: Type.TSchema
  media_type: string
  /** A component of this name and the status stands for each status; 503 is described by its operation. */
  component: string
  descriptions: Readonly<Partial<Record<FailureStatus, string>>>
  /** Names of headers of certain statuses, besides the id of the request. */
  headers: Readonly<Partial<Record<FailureStatus, readonly HeaderName[]>>>
}

const HEADERS = {
  'X-Request-Id': { component: 'RequestId', description: 'Names this request in the service’s log.', type: 'string' },
  'Spoor-Ignored-Parameters': {
    component: 'IgnoredParameters',
    type: 'string',
    description:
      'Present when the query held parameters that this operation does not know: at most ten names, the others as a number at the end.',
  },
  Allow: { component: 'Allow', description: 'The methods that this path supports.', type: 'string' },
  'WWW-Authenticate': { component: 'WwwAuthenticate', description: 'Always Bearer.', type: 'string' },
  'Retry-After': {
    component: 'RetryAfter',
    type: 'integer',
    description: 'Seconds after which a request would be let through.',
  },
  'X-RateLimit-Limit': { component: 'RateLimitLimit', description: 'Requests that the quota allows.', type: 'integer' },
  'X-RateLimit-Remaining': {
    component: 'RateLimitRemaining',
    type: 'integer',
    description: 'Requests that are left of it.',
  },
  'X-RateLimit-Reset': {
    component: 'RateLimitReset',
    type: 'integer',
    description: 'Unix seconds at which the oldest counted requests leave the quota.',
  },
  'Idempotency-Replayed': {
    component: 'IdempotencyReplayed',
    type: 'string',
    description: 'true: an earlier request with this key was carried out, and this is its answer.',
  },
  Deprecation: { component: 'Deprecation', description: 'Always true: the route will end.', type: 'string' },
  Sunset: { component: 'Sunset', description: 'The day on which it may end, as an HTTP date.', type: 'string' },
  Link: {
    component: 'Link',
    description: 'Where the route is described (rel="deprecation"), and what replaces it (rel="successor-version").',
    type: 'string',
  },
} as const
type HeaderName = keyof typeof HEADERS

/** By which a deprecated route says that it ends. */
const ENDING = ['Deprecation', 'Sunset', 'Link'] as const

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Renders the document; the same operations and options always give the same document, key by key. */
export function renderOpenApi(operations: readonly HttpOperation[], options: OpenApiOptions): JsonObject {
  const schemas: JsonObject = {}
  const paths: { [path: string]: JsonObject } = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, schemas, options),
    }
  }
  const body = reference(options.failures.body, schemas)
  const responses = failureResponses(options.failures, body)
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      ...(options.support_email === null ? {} : { contact: { email: options.support_email } }),
    },
    servers: [{ url: options.server }],
    security: [{ bearer: [] }],
    tags: Object.entries(options.tags)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: options.bearer } },
      headers: headerComponents({ paths, responses }),
      responses,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function operationObject(operation: HttpOperation, schemas: JsonObject, options: OpenApiOptions): Json {
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    tags: [operation.tag],
    security: [{ bearer: [] }],
    parameters: parameters(operation, schemas),
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.may_lack_body !== true,
            content: { 'application/json': { schema: reference(operation.body, schemas) } },
          },
        }),
    responses: operationResponses(operation, schemas, options),
  }
}

function parameters(operation: HttpOperation, schemas: JsonObject): Json[] {
  const site: Json = {
    name: 'site',
    in: 'path',
    required: true,
    description: 'Site id (preferred) or root domain.',
    schema: { type: 'string', minLength: 1, maxLength: 300 },
  }
  const path = Object.entries(operation.params.properties).map(([name, schema]) =>
    parameter('path', name, schema, schemas),
  )
  const query = Object.entries(operation.query.properties).map(([name, schema]) =>
    parameter('query', name, schema, schemas),
  )
  const key: Json = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Protects against carrying out the same body twice, for 72 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return [
    ...(addressesSite(operation) ? [site] : []),
    ...path,
    ...query,
    ...(operation.idempotent === true ? [key] : []),
  ]
}

function parameter(place: 'path' | 'query', name: string, schema: Type.TSchema, schemas: JsonObject): Json {
  const { description, ...rest } = resolve(plain(schema), schemas) as JsonObject
  return {
    name,
    in: place,
    required: place === 'path',
    ...(description === undefined ? {} : { description }),
    ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
  }
}

function operationResponses(operation: HttpOperation, schemas: JsonObject, options: OpenApiOptions): JsonObject {
  const { failures } = options
  const example = options.examples?.[operation.id]?.answer as Json | undefined
  const ok: Json = {
    description: operation.summary,
    headers: headerReferences([
      'X-Request-Id',
      ...options.answer_headers,
      ...(operation.idempotent === true ? (['Idempotency-Replayed'] as const) : []),
      ...(operation.deprecated === undefined ? [] : ENDING),
    ]),
    content: {
      'application/json': {
        schema: reference(operation.output, schemas),
        ...(example === undefined ? {} : { example }),
      },
      ...(operation.csv === undefined
        ? {}
        : {
            [CSV_MEDIA_TYPE]: {
              schema: { type: 'string', description: `RFC 4180, header record: ${headerRecords(operation.csv)}` },
            },
          }),
    },
  }
  const body = reference(failures.body, schemas)
  const refusals = operation.refusals.map((status) => [String(status), refusalOf(operation, status, failures, body)])
  return { [operation.success ?? 200]: ok, ...Object.fromEntries(refusals) }
}

/** The component of the status, or a description of its own where the operation adds something to it. */
function refusalOf(
  { unavailable_title, deprecated }: HttpOperation,
  status: FailureStatus,
  failures: FailureForm,
  body: Json,
): Json {
  const title = status === 503 ? unavailable_title : undefined
  // Who calls is checked before the route says that it ends.
  const ending = deprecated === undefined || status === 401 ? [] : ENDING
  if (title === undefined && ending.length === 0) {
    return { $ref: `#/components/responses/${failures.component}${status}` }
  }
  const headers = [...(failures.headers[status] ?? []), ...ending]
  return failureResponse(title ?? failures.descriptions[status] ?? '', headers, failures, body)
}

const headerRecords = ({ header, while_closed }: CsvForm): string =>
  while_closed === undefined ? header : `${while_closed.header}; while the gate ${while_closed.gate} is open: ${header}`

function failureResponses(failures: FailureForm, body: Json): JsonObject {
  return Object.fromEntries(
    Object.entries(failures.descriptions).map(([status, description]) => {
      const headers = failures.headers[Number(status) as FailureStatus] ?? []
      return [`${failures.component}${status}`, failureResponse(description, headers, failures, body)]
    }),
  )
}

const failureResponse = (
  description: string,
  headers: readonly HeaderName[],
  failures: FailureForm,
  body: Json,
): Json => ({
  description,
  headers: headerReferences([...headers, 'X-Request-Id']),
  content: { [failures.media_type]: { schema: body } },
})

const headerReferences = (names: readonly HeaderName[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${HEADERS[name].component}` }]))

/** Those that the document refers to. */
function headerComponents(document: JsonObject): JsonObject {
  const text = JSON.stringify(document)
  const used = Object.values(HEADERS).filter(({ component }) => text.includes(`#/components/headers/${component}"`))
  return Object.fromEntries(
    used.map(({ component, description, type }) => [component, { description, schema: { type } }]),
  )
}

/** A schema as it stands in the document: titled parts move to the components and are referred to. */
const reference = (schema: Type.TSchema, schemas: JsonObject): Json => resolve(plain(schema), schemas)

const plain = (schema: Type.TSchema): Json => describeFields(JSON.parse(JSON.stringify(schema)))

function resolve(value: Json, schemas: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { [FIELD_WORDS]: description, ...own } = value
  const resolved = Object.fromEntries(Object.entries(own).map(([key, item]) => [key, resolve(item, schemas)]))
  const { title } = resolved
  // A property may itself be called title, and is then an object, not a name.
  if (typeof title !== 'string') return resolved
  const known = schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(resolved)) {
    throw new Error(`two different schemas are titled ${title}`)
  }
  schemas[title] = resolved
  return { $ref: `#/components/schemas/${title}`, ...(description === undefined ? {} : { description }) }
}
