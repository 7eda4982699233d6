/** What the definitions of this folder share. */
import Type from 'typebox'
import { Count, closed, described, Instant, Uuid } from '../fields.ts'
import type { FailureStatus, HttpBinding, Operation } from '../operation.ts'

/** Names the brand in every path below `/brands`. */
export const brandPath = { brandId: described(Uuid, 'Id of the brand, as `GET /api/v1/brands` lists it.') }

type Definition = HttpBinding &
  Pick<Operation, 'id' | 'summary' | 'description' | 'subject' | 'permission' | 'effect' | 'output'>
type Properties<S> = S extends Type.TObject<infer P extends Type.TProperties> ? P : unknown
type BodyOf<D> = D extends { readonly body: infer B } ? Properties<B> : unknown
type KeyOf<D> = D extends { readonly idempotent: true } ? typeof idempotencyKey : unknown

const idempotencyKey = { idempotency_key: Type.Optional(Type.String()) }
const ignored = {
  /** Names of parameters that no route knows; the answer lists them. */
  ignored_parameters: Type.Array(Type.String(), { default: [] }),
}

type Input<D extends Definition> = Type.TObject<
  Properties<D['params']> & Properties<D['query']> & BodyOf<D> & KeyOf<D> & typeof ignored
>

/**
 * An operation of surface B; its input is what path, parameters, body and the header `Idempotency-Key` say together.
 */
export const defineAccountOperation = <const D extends Definition>(definition: D) => ({
  ...definition,
  surfaces: ['account_api'] as const,
  input: Type.Object({
    ...definition.params.properties,
    ...definition.query.properties,
    ...definition.body?.properties,
    ...(definition.idempotent === true ? idempotencyKey : {}),
    ...ignored,
  }) as Input<D>,
})

/** What every operation may answer beside its output; 404 of a path that names nothing. */
export const REFUSALS = [400, 401, 403, 404, 429, 500] as const satisfies readonly FailureStatus[]

/** Whether the answer is the whole of what there is, and how it was asked. */
export const listMeta = (filters: Type.TProperties) =>
  closed({
    as_of: Instant,
    filters: closed(filters, { description: 'The filters in force, defaults included; null: not filtered.' }),
    ignored_parameters: Type.Array(Type.String()),
  })

/** Members of every list that is read by offset. */
export const listFields = {
  limit: Type.Integer({ minimum: 1 }),
  offset: Type.Integer({ minimum: 0 }),
  returned_count: Count,
  total_count: Count,
  truncated: Type.Boolean({ description: 'True when items follow after these.' }),
}
