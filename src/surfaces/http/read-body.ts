/** Reads a request body strictly: JSON of a limited size, checked against the contract (rules 1). */
import type { IncomingMessage } from 'node:http'
import type { Validator } from 'typebox/compile'
import { quoted } from '#foreign-text.ts'
import { type SchemaError, schemaRule } from '../schema-rule.ts'
import { findUnstorableText } from '../unstorable-text.ts'
import { RequestProblem } from './problems.ts'

const BODY_LIMIT_BYTES = 64 * 1024

/**
 * The decoded body; throws a 400 problem for a wrong content type, encoding, size, syntax or shape.
 * @param options.may_be_missing an empty body is an empty object, with any content type.
 */
export async function readBody(
  request: IncomingMessage,
  validator: Validator,
  { may_be_missing = false }: { may_be_missing?: boolean | undefined },
): Promise<Record<string, unknown>> {
  const body = may_be_missing
    ? await readJsonIfAny(request, BODY_LIMIT_BYTES)
    : await readJson(request, BODY_LIMIT_BYTES)
  return body === undefined ? {} : checkBody(body, validator)
}

/** The body itself where it is of its form; throws a 400 problem otherwise. */
export function checkBody(body: unknown, validator: Validator): Record<string, unknown> {
  if (isRecord(body) && validator.Check(body)) return storable(body)
  const [first] = validator.Errors(body)
  const place = first === undefined || first.instancePath === '' ? 'The body' : first.instancePath.slice(1)
  throw invalid(`${place} ${faultOf(body, first)}. ${describe(validator)}`)
}

function storable(body: Record<string, unknown>): Record<string, unknown> {
  const fault = findUnstorableText(body)
  if (fault === null) return body
  throw invalid(`${fault.path.join('.')}: ${fault.message}`)
}

function faultOf(body: unknown, fault: SchemaError | undefined): string {
  if (fault === undefined) return 'must be an object'
  if (fault.keyword === 'boolean') return 'is not a field here'
  if (fault.keyword !== 'format' || fault.params.format !== 'uri' || !isRecord(body)) return schemaRule(fault)
  const text = String(body[fault.instancePath.slice(1)])
  const given = quoted(text)
  if (!/^https?:\/\//i.test(text)) return `is ${given}; allowed is a URL that begins with http:// or https://`
  return `is ${given}; allowed is a URI: other characters are percent-encoded, and in host names written as xn--`
}

/** Any JSON value; throws a 400 problem for a wrong content type, encoding, size or syntax. */
export async function readJson(request: IncomingMessage, max_bytes: number): Promise<unknown> {
  checkHeaders(request)
  return parse(await readBytes(request, max_bytes))
}

/** The same; undefined without a body and for an empty one, which the headers do not show if it is chunked. */
export async function readJsonIfAny(request: IncomingMessage, max_bytes: number): Promise<unknown> {
  if (isWithoutBody(request)) return undefined
  const bytes = await readBytes(request, max_bytes)
  if (bytes.length === 0) return undefined
  checkHeaders(request)
  return parse(bytes)
}

function checkHeaders(request: IncomingMessage): void {
  const media_type = request.headers['content-type'] ?? ''
  if (!/^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(media_type)) {
    throw invalid(`Content-Type is ${quoted(media_type)}; allowed is application/json.`)
  }
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw invalid(`Content-Encoding is ${quoted(encoding)}; send the body uncompressed.`)
  }
}

/** An access check asks about a URL of the site itself: the root domain or a name below it (spec 4.2). */
export function checkUrlIsOnSite(url: unknown, root_domain: string): void {
  const given = String(url)
  const host = URL.canParse(given) ? new URL(given).hostname.replace(/\.$/, '') : ''
  if (host === '') throw invalid(`url is ${quoted(given)}; allowed is an absolute http or https URL.`)
  if (host === root_domain || host.endsWith(`.${root_domain}`)) return
  throw invalid(`url is ${quoted(given)}; allowed is a URL on ${root_domain} or a name below it.`)
}

/** HTTP/1.1 announces a body by one of two headers (RFC 9112, 6). */
const isWithoutBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? '0') === 0

/** TRICKY: the rest of a body that is too long is left to Node, which drains it; closing now could hide the answer. */
async function readBytes(request: IncomingMessage, max_bytes: number): Promise<Buffer> {
  const tooLong = () => invalid(`The body is longer than ${max_bytes} bytes, the most that is allowed.`)
  if (Number(request.headers['content-length']) > max_bytes) throw tooLong()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= max_bytes) chunks.push(chunk)
    else reject(tooLong())
  })
  request.on('end', () => resolve(Buffer.concat(chunks)))
  request.on('error', () => reject(invalid('The body broke off before its end.')))
  return promise
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalid('The body is empty; it must be a JSON object.')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('The body is not JSON in UTF-8.')
  }
}

const describe = (validator: Validator): string => {
  const schema: unknown = validator.Type()
  if (!isRecord(schema) || !isRecord(schema.properties)) return ''
  const fields = Object.entries(schema.properties).map(describeField)
  return fields.length === 0 ? 'Send {} or no body.' : `Fields: ${fields.join('; ')}`
}

const describeField = ([name, schema]: [string, unknown]): string =>
  isRecord(schema) && typeof schema.description === 'string' ? `${name}: ${schema.description}` : name

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (detail: string) => new RequestProblem('invalid_body', detail)
