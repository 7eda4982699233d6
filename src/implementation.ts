/** How an operation of the contract is carried out: a function of who calls, the services it needs and its input. */
import type { Caller } from '#accounts/caller.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import type { InputOf, Operation, OutputOf } from '#contract/operation.ts'
import type { Site } from '#sites/site.ts'

/** What an operation on one site finds resolved: the site, on which the caller holds the operation's permission. */
export interface CalledOnSite {
  caller: Caller
  site: Site
}

/** The same of an operation on a brand. */
export interface CalledOnBrand {
  caller: Caller
  brand: FoundBrand
}

/** What the subject of an operation is resolved to; empty where it is about no single site or brand. */
export type ResolvedSubject = Partial<Pick<CalledOnSite, 'site'> & Pick<CalledOnBrand, 'brand'>>

type Called<O extends Operation> = O['subject'] extends 'site' | 'source' | 'token'
  ? CalledOnSite
  : O['subject'] extends 'brand'
    ? CalledOnBrand
    : { caller: Caller }

/** One function for each operation, by its id; it knows neither the surface nor how the caller was recognised. */
export type Implementations<O extends Operation, Services> = {
  readonly [One in O as One['id']]: (ctx: Services & Called<One>, input: InputOf<One>) => Promise<OutputOf<One>>
}
