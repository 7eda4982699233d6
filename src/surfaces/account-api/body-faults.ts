/** Every fault of a body against its schema, each at the key that it is about (spec 7.2). */
import type { Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { FieldFault } from '#brands/invalid-request.ts'
import { PARAMETER_CODES } from '#contract/account-api/parameters.ts'
import type { FieldErrorCode } from '#contract/vocabulary.ts'
import { type SchemaError, schemaRule } from '../schema-rule.ts'

/** A request may be wrong in more places than anybody reads. */
export const MAX_FAULTS = 200
/** Complaints of a schema about these places: objects around a faulty member are complained about, too. */
const MAX_COMPLAINTS = 5 * MAX_FAULTS

/** How long a list is does not depend on its items. */
const OF_LENGTH: ReadonlySet<string> = new Set(['minItems', 'maxItems'])

/**
 * One fault for each place; a missing member is `required`, an unknown or a wrong one `invalid` or the code of its
 * kind.
 */
export function findBodyFaults(validator: Validator, body: unknown): FieldFault[] {
  if (validator.Check(body)) return []
  const faults = new Map<string, FieldFault>()
  const lengths: FieldFault[] = []
  for (const error of complaintsOf(validator, body)) {
    for (const fault of faultsOf(error)) {
      const place = JSON.stringify(fault.path)
      if (faults.has(place)) continue
      faults.set(place, fault)
      if (OF_LENGTH.has(error.keyword)) lengths.push(fault)
    }
  }
  const others = withoutOuter([...faults.values()]).filter((fault) => !lengths.includes(fault))
  return [...lengths, ...others].slice(0, MAX_FAULTS)
}

/** TRICKY: TypeBox ends with the eighth complaint, unless this setting of the whole process says otherwise. */
function complaintsOf(validator: Validator, body: unknown): SchemaError[] {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: MAX_COMPLAINTS })
  try {
    return validator.Errors(body)
  } finally {
    Settings.Set({ maxErrors })
  }
}

function faultsOf(error: SchemaError): FieldFault[] {
  const { keyword, params, instancePath } = error
  const path = keysOf(instancePath)
  // An unknown member. The object around it names it too, but after all of them, which may be too late.
  if (keyword === 'boolean') return [unknownMember(path.slice(0, -1), nameAtEnd(instancePath))]
  const named = params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (keyword === 'required') {
    return (named.requiredProperties ?? []).map((name) => ({
      path: [...path, name],
      code: 'required',
      message: `${name} is missing.`,
    }))
  }
  if (keyword === 'additionalProperties') {
    return (named.additionalProperties ?? []).map((name) => unknownMember(path, name))
  }
  return [{ path, code: codeOf(path), message: `The value ${schemaRule(error)}.` }]
}

const unknownMember = (path: readonly (string | number)[], name: string): FieldFault => ({
  path: [...path, name.slice(0, 100)],
  code: 'invalid',
  message: 'This member is not known here: leave it out.',
})

function codeOf(path: readonly (string | number)[]): FieldErrorCode {
  const name = path.at(-1)
  if (name === 'id') return 'invalid_uuid'
  return name === 'country' || name === 'status' ? PARAMETER_CODES[name] : 'invalid'
}

/** A schema also complains about the object around a faulty member; only the member is reported. */
const withoutOuter = (faults: readonly FieldFault[]): FieldFault[] =>
  faults.filter((fault) => !faults.some((other) => other !== fault && isInside(other.path, fault.path)))

const isInside = (inner: readonly unknown[], outer: readonly unknown[]): boolean =>
  inner.length > outer.length && outer.every((key, at) => key === inner[at])

/** A JSON pointer (RFC 6901) as keys. */
const keysOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : unescaped(key)))

const nameAtEnd = (pointer: string): string => unescaped(pointer.slice(pointer.lastIndexOf('/') + 1))
const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
