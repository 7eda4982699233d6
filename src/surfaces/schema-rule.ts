/** What a schema allows, in words: TypeBox leaves articles out, does not list allowed values and prints patterns. */
import type { Validator } from 'typebox/compile'

export type SchemaError = ReturnType<Validator['Errors']>[number]

/** The end of a sentence that begins with the name of the value, without its full stop. */
export function schemaRule({ keyword, params, message }: SchemaError): string {
  const given = params as Partial<{
    type: string | string[]
    allowedValues: unknown[]
    requiredProperties: string[]
    limit: number
    pattern: string
    format: string
  }>
  if (keyword === 'type' && given.type !== undefined)
    return `must be ${[given.type].flat().map(withArticle).join(' or ')}`
  if (keyword === 'enum' && given.allowedValues !== undefined) return `must be one of ${given.allowedValues.join(', ')}`
  if (keyword === 'required' && given.requiredProperties !== undefined) {
    return `must have ${given.requiredProperties.join(', ')}`
  }
  if (keyword === 'format' && given.format === 'uuid') return 'must be a UUID'
  if ((keyword === 'minLength' || keyword === 'minItems') && given.limit === 1) return 'must not be empty'
  const form = keyword === 'pattern' && given.pattern !== undefined ? patternInWords(given.pattern) : null
  return form === null ? message : `must be ${form}`
}

/** A pattern of the contracts that has a name; null: another one. */
export const patternInWords = (pattern: string): string | null => PATTERNS.get(pattern) ?? null

/** As the contracts write them. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  ['^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', 'a UUID'],
  ['^[ -~]+$', 'printable ASCII text'],
  ['^[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{32}$', 'a slug that ends with a hyphen and 32 hexadecimal digits'],
  ['^[A-Z]{2}$', 'a code of ISO 3166-1 alpha-2 in capitals, or null'],
  ['^[hH][tT][tT][pP][sS]?://', 'a URL that begins with http:// or https://'],
])

const withArticle = (type: string): string => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`)
