/** A query string as the input of an operation: each text becomes a value of the kind that the schema asks for. */
import Type from 'typebox'

/** What does not fit is left as text, so that the check of the schema names it; unknown names are left out. */
export function decodeQuery(
  schema: Type.TObject,
  given: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(schema.properties)) {
    const texts = given.get(name)
    if (texts !== undefined) input[name] = decode(texts, member)
    else if ('default' in member) input[name] = structuredClone(member.default)
  }
  return input
}

function decode(texts: readonly string[], schema: Type.TSchema): unknown {
  if (Type.IsArray(schema)) {
    const items = texts.flatMap((text) => (text === '' ? [] : text.split(',')))
    // Members of a closed set come once, in the order of its vocabulary.
    if (Type.IsEnum(schema.items) && items.every((text) => isMember(schema.items as Type.TEnum, text))) {
      return schema.items.enum.filter((member) => items.includes(String(member)))
    }
    return items.map((text) => decode([text], schema.items))
  }
  const [text = '', ...more] = texts
  // Several where one is asked for fit no schema.
  if (more.length > 0) return texts
  if (Type.IsInteger(schema) || Type.IsNumber(schema)) return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
  if (Type.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const isMember = ({ enum: members }: Type.TEnum, text: string): boolean =>
  members.some((member) => String(member) === text)
