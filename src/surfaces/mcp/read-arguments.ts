/** Arguments of a tool as the parts of a request that surfaces A and B read; nothing is coerced (account API 6). */
import Type from 'typebox'
import type { FieldFault } from '#brands/invalid-request.ts'
import type { HttpOperation } from '#contract/operation.ts'
import { quoted } from '#foreign-text.ts'
import { MAX_FAULTS } from '../account-api/body-faults.ts'
import { textsOf } from '../texts-of.ts'
import { argumentsOf } from './tools.ts'

export type Arguments = Readonly<Record<string, unknown>>

export interface SplitArguments {
  /** What names the site or brand, and what lies below it. */
  path: Readonly<Record<string, string>>
  /** Values as a query string would have them. */
  query: ReadonlyMap<string, readonly string[]>
  body: Arguments
  idempotency_key: unknown
  /** What the tool does not know, and what names nothing. */
  faults: FieldFault[]
}

/** The arguments of a tool as path, query, body and key of a request, with the faults in them. */
export function splitArguments(operation: HttpOperation, given: Arguments): SplitArguments {
  const { path, query, body } = argumentsOf(operation)
  const known = [...path, ...query, ...body, ...(operation.idempotent === true ? ['idempotency_key'] : [])]
  const faults = [
    ...path.filter((name) => typeof given[name] !== 'string').map((name) => nameless(name, given[name])),
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .slice(0, MAX_FAULTS)
      .map((name) => unknown(name, known)),
  ]
  const sent = query.filter((name) => given[name] !== undefined)
  return {
    faults,
    path: namesIn(operation, given),
    query: new Map(sent.map((name) => [name, [textOf(given[name], takesList(operation, name))]])),
    body: Object.fromEntries(body.filter((name) => name in given).map((name) => [name, given[name]])),
    idempotency_key: given.idempotency_key,
  }
}

/** What names the site or brand, and what lies below it. */
export function namesIn(operation: HttpOperation, given: Arguments): Readonly<Record<string, string>> {
  const named = argumentsOf(operation).path.filter((name) => given[name] !== undefined)
  return textsOf(Object.fromEntries(named.map((name) => [name, given[name]])))
}

const takesList = ({ query }: HttpOperation, name: string): boolean => Type.IsArray(query.properties[name])

/**
 * A value as a query has it; one of a wrong type as JSON, which is then refused with the code of its parameter, because
 * no parameter takes JSON.
 */
function textOf(value: unknown, takes_list: boolean): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return /^(true|false|[\d.]+)$/.test(value) ? JSON.stringify(value) : value
  const is_list = Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes(','))
  return takes_list && is_list ? value.join(',') : JSON.stringify(value)
}

const nameless = (name: string, given: unknown): FieldFault =>
  given === undefined
    ? { path: [name], code: 'required', message: `${name} is missing.` }
    : { path: [name], code: 'invalid', message: `${name} must be a text.` }

const unknown = (name: string, known: readonly string[]): FieldFault => ({
  path: [name.slice(0, 100)],
  code: 'invalid',
  message: `This tool does not take ${quoted(name)}; it takes ${known.join(', ') || 'no arguments'}.`,
})
