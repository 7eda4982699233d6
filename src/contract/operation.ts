/**
 * An operation is written once, in this folder, and read by every surface: routes, checks of input and output, OpenAPI,
 * typed clients, command line and tests all come from the same object.
 */
import Type from 'typebox'
import type { Permission, SitePermission } from './permissions.ts'

export type SurfaceName = 'site_api' | 'account_api' | 'operator' | 'dashboard'

/**
 * What an operation is about, which is what its permission is asked of: one site, named by the input field `site`;
 * the site of the source that `source` names, or of the source token that `token` names; every site that the caller
 * sees; the caller's account; one of its brands; or the installation.
 */
export type Subject = 'site' | 'source' | 'token' | 'visible_sites' | 'account' | 'brand' | 'installation'

export interface Operation {
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly subject: Subject
  /** `operate` for `installation`, one of the account for `account`, else what a role on the site must hold. */
  readonly permission: Permission
  readonly effect: 'read' | 'write'
  readonly surfaces: readonly SurfaceName[]
  readonly input: Type.TObject
  readonly output: Type.TSchema
}

/** Query parameters are closed sets, whole numbers or comma lists of a closed set, and nothing else (spec 4.1). */
export type QuerySchema = Type.TObject
export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 422 | 429 | 500 | 503

/** How an operation of an HTTP API is addressed, and what beside its output it answers. */
export interface HttpBinding {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path template with `{name}` for each path parameter. */
  readonly path: string
  readonly tag: string
  /** Path parameters except `{site}`, which is resolved before anything else is looked at (rules 1). */
  readonly params: Type.TObject
  /** Query parameters in the order in which they are checked: the first bad one is named (rules 1). */
  readonly query: QuerySchema
  readonly body?: Type.TObject
  /** A request without a body is one with an empty object. */
  readonly may_lack_body?: true
  /** All declared statuses besides that of success (spec 4.2). */
  readonly refusals: readonly FailureStatus[]
  /** The status of success, where it is not 200. */
  readonly success?: 201
  /** The header `Idempotency-Key` protects against sending the same body twice (account API 2.4). */
  readonly idempotent?: true
  /** The most days that `from` and `to` may span, where the operation takes them. */
  readonly max_days?: number
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

export interface HttpOperation extends Operation, HttpBinding {}

export const CSV_MEDIA_TYPE = 'text/csv; charset=utf-8'

export interface CsvForm {
  readonly header: string
  /** The header record while a gate of the site is closed (spec 4.3). */
  readonly while_closed?: { readonly gate: string; readonly header: string }
  /** Kinds of record in the order in which they are written. */
  readonly records: readonly string[]
}

/** Keeps an operation's exact types, so that inputs and outputs are derived and never written a second time. */
export const defineOperation = <const O extends Operation>(operation: O): O => operation

/** Without a permission and an effect it reads what every member may read. */
type SiteOperationDefinition = HttpBinding &
  Pick<Operation, 'id' | 'summary' | 'description' | 'output'> & {
    readonly permission?: SitePermission
    readonly effect?: Operation['effect']
  }

type BodyProperties<D> = D extends { readonly body: Type.TObject<infer P extends Type.TProperties> } ? P : unknown

/** What path, query and body say together; `site` is not part of it, because it arrives resolved. */
type HttpInput<D extends HttpBinding> = Type.TObject<
  D['params']['properties'] & D['query']['properties'] & BodyProperties<D>
>

/** An operation of surface A; its input is what path, query and body hold. */
export const defineSiteOperation = <const D extends SiteOperationDefinition>(definition: D) => ({
  ...definition,
  subject: (addressesSite(definition) ? 'site' : 'visible_sites') as D['path'] extends `${string}{site}${string}`
    ? 'site'
    : 'visible_sites',
  permission: definition.permission ?? ('read' as const),
  effect: definition.effect ?? ('read' as const),
  surfaces: ['site_api'] as const,
  input: Type.Object({
    ...definition.params.properties,
    ...definition.query.properties,
    ...definition.body?.properties,
  }) as HttpInput<D>,
})

/** The decoded input of an operation: every parameter present, defaults filled in. */
export type InputOf<O extends { readonly input: Type.TSchema }> = Type.Static<O['input']>
/** What an operation answers. */
export type OutputOf<O extends { readonly output: Type.TSchema }> = Type.Static<O['output']>
export type BodyOf<O> = O extends { readonly body: infer B extends Type.TSchema } ? Type.Static<B> : unknown

/** True when the path names a site. */
export const addressesSite = (operation: Pick<HttpBinding, 'path'>) => operation.path.includes('{site}')
