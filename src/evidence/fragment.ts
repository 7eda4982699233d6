/** A piece of SQL with its values separate from its text. It is made by the templates of sql.ts and by migrations. */
import { Parameter } from './parameters.ts'

export class Fragment {
  readonly #parts: readonly (string | Parameter)[]
  constructor(parts: readonly (string | Parameter)[]) {
    this.#parts = parts
  }
  static is(value: unknown): value is Fragment {
    return typeof value === 'object' && value !== null && #parts in value
  }

  /** The content of a hole of a template. @throws TypeError for a bare value. */
  static partsOf(hole: unknown): readonly (string | Parameter)[] {
    if (Fragment.is(hole)) return hole.#parts
    if (Parameter.is(hole)) return [hole]
    throw new TypeError(
      `A hole of sql takes a typed parameter (uuid(), day(), text(), …) or a fragment, not ${JSON.stringify(hole)}.`,
    )
  }
}

export interface RenderedSql {
  /** With `{p0:UUID}`, `{p1:Date}`, … in order: same input, same text. */
  text: string
  parameters: readonly Parameter[]
}

/** The text and the parameters of a fragment. */
export function render(fragment: Fragment): RenderedSql {
  const parameters: Parameter[] = []
  const text = Fragment.partsOf(fragment)
    .map((part) => (typeof part === 'string' ? part : `{p${parameters.push(part) - 1}:${part.type}}`))
    .join('')
  return { text: text.trim(), parameters }
}
