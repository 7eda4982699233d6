/**
 * An operation is written once, here, and read by every surface: routes, request decoding, response check, OpenAPI,
 * typed client, tools and tests all come from the same object.
 */
import type Type from 'typebox'

/** Query parameters are closed sets, whole numbers or comma lists of a closed set; nothing else is decoded (spec 4.1). */
export type QuerySchema = Type.TObject
export type Status = 200 | 400 | 401 | 404 | 405 | 422 | 500 | 503

export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Path template with `{name}` for each path parameter. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  /** Path parameters except `{site}`, which is resolved before anything else is looked at (rules 1). */
  readonly params: Type.TObject
  /** Query parameters in the order in which they are checked: the first bad one is named (rules 1). */
  readonly query: QuerySchema
  readonly body?: Type.TObject
  /** The 200 body. */
  readonly answer: Type.TSchema
  /** All declared statuses besides 200 (spec 4.2). */
  readonly refusals: readonly Exclude<Status, 200>[]
  /** The status that refuses a window which is valid elsewhere but too long here (spec 4.2). */
  readonly window_too_long?: 400 | 422
  /** Title of the 503 problem (spec 4.2). */
  readonly unavailable_title?: string
  /** Exact header record of the CSV form (spec 4.3). */
  readonly csv?: CsvForm
  /** Name of the tool that offers this operation to agents (decisions 6). */
  readonly mcp?: { readonly tool: string }
  /** When the operation went out of use and what replaces it. */
  readonly deprecated?: { readonly since: string; readonly sunset: string; readonly replacement: string }
}

export interface CsvForm {
  readonly header: string
  /** Kinds of record in the order in which they are written. */
  readonly records: readonly string[]
}

/** Keeps an operation's exact types, so that inputs and answers are derived and never written a second time. */
export const defineOperation = <const O extends Operation>(operation: O): O => operation

/** The decoded input of an operation: every parameter present, defaults filled in. */
export type InputOf<O extends Operation> = Type.Static<O['params']> & Type.Static<O['query']> & BodyOf<O>
/** The 200 body of an operation. */
export type AnswerOf<O extends Operation> = Type.Static<O['answer']>
export type BodyOf<O extends Operation> = O extends { readonly body: infer B extends Type.TSchema }
  ? Type.Static<B>
  : unknown

/** True when the path names a site. */
export const addressesSite = (operation: Operation) => operation.path.includes('{site}')
