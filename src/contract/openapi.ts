/** Operations in, OpenAPI 3.1 document out. Schemas with a title become shared components. */
import type Type from 'typebox'
import { describeFields } from './describe-schemas.ts'
import { addressesSite, type HttpOperation, type Status } from './operation.ts'
import { PROBLEM_MEDIA_TYPE, Problem } from './problem.ts'

export interface OpenApiOptions {
  title: string
  version: string
  description: string
  /** Null leaves the contact out (spec 9.7). */
  support_email: string | null
  /** What each tag gathers; an operation's tag that is missing here is a mistake. */
  tags: Readonly<Record<string, string>>
  /** Where the operations are served; a relative address follows the document. */
  server: string
  /** A real answer of each operation, by its id; an operation may have none. */
  examples?: Readonly<Record<string, { answer: unknown }>>
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Renders the document; the same operations and options always give the same document, key by key. */
export function renderOpenApi(operations: readonly HttpOperation[], options: OpenApiOptions): JsonObject {
  const schemas: JsonObject = {}
  const paths: { [path: string]: JsonObject } = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, schemas, options.examples?.[operation.id]?.answer),
    }
  }
  const problem = reference(Problem, schemas)
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
    tags: Object.entries(options.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A site key: spoor_site_…' } },
      headers: {
        RequestId: { description: 'Names this request in the service’s log.', schema: { type: 'string' } },
        IgnoredParameters: {
          description:
            'Present when the query held parameters that this operation does not know: at most ten names, the others as a number at the end.',
          schema: { type: 'string' },
        },
        Allow: { description: 'The methods that this path supports.', schema: { type: 'string' } },
        WwwAuthenticate: { description: 'Always Bearer.', schema: { type: 'string' } },
      },
      responses: problemResponses(problem),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function operationObject(operation: HttpOperation, schemas: JsonObject, example: unknown): Json {
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
    responses: responses(operation, schemas, example as Json | undefined),
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
    parameter(name, 'path', true, schema, schemas),
  )
  const query = Object.entries(operation.query.properties).map(([name, schema]) =>
    parameter(name, 'query', false, schema, schemas),
  )
  return [...(addressesSite(operation) ? [site] : []), ...path, ...query]
}

function parameter(name: string, place: string, required: boolean, schema: Type.TSchema, schemas: JsonObject): Json {
  const { description, ...rest } = resolve(plain(schema), schemas) as JsonObject
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
  }
}

function responses(operation: HttpOperation, schemas: JsonObject, example: Json | undefined): JsonObject {
  const ok: Json = {
    description: operation.summary,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      'Spoor-Ignored-Parameters': { $ref: '#/components/headers/IgnoredParameters' },
    },
    content: {
      'application/json': {
        schema: reference(operation.output, schemas),
        ...(example === undefined ? {} : { example }),
      },
      ...(operation.csv === undefined
        ? {}
        : {
            'text/csv; charset=utf-8': {
              schema: { type: 'string', description: `RFC 4180, header record: ${operation.csv.header}` },
            },
          }),
    },
  }
  const refusals = operation.refusals.map((status): [string, Json] => [
    String(status),
    status === 503 && operation.unavailable_title !== undefined
      ? problemResponse(operation.unavailable_title, {}, { $ref: '#/components/schemas/Problem' })
      : { $ref: `#/components/responses/Problem${status}` },
  ])
  return { 200: ok, ...Object.fromEntries(refusals) }
}

const DESCRIPTIONS: Record<Exclude<Status, 200 | 503>, string> = {
  400: 'A parameter or the request body is invalid.',
  401: 'The key is missing, unrecognized or revoked.',
  404: 'The site, or the thing named in it, is missing or not visible to the key.',
  405: 'The path does not support this method.',
  422: 'The request is well formed and cannot be processed.',
  500: 'The service failed.',
}

function problemResponses(problem: Json): JsonObject {
  const headers: Record<string, JsonObject> = {
    401: { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } },
    405: { Allow: { $ref: '#/components/headers/Allow' } },
  }
  return Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([status, description]) => [
      `Problem${status}`,
      problemResponse(description, headers[status] ?? {}, problem),
    ]),
  )
}

const problemResponse = (description: string, headers: JsonObject, schema: Json): Json => ({
  description,
  headers: { ...headers, 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: { [PROBLEM_MEDIA_TYPE]: { schema } },
})

/** A schema as it stands in the document: titled parts move to the components and are referred to. */
const reference = (schema: Type.TSchema, schemas: JsonObject): Json => resolve(plain(schema), schemas)

const plain = (schema: Type.TSchema): Json => describeFields(JSON.parse(JSON.stringify(schema)))

function resolve(value: Json, schemas: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const resolved = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, schemas)]))
  const { title } = resolved
  // A property may itself be called title, and is then an object, not a name.
  if (typeof title !== 'string') return resolved
  const known = schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(resolved)) {
    throw new Error(`two different schemas are titled ${title}`)
  }
  schemas[title] = resolved
  return { $ref: `#/components/schemas/${title}` }
}
