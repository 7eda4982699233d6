/** How an operation of the contract is carried out: a function of who calls, the services it needs and its input. */
import type { Caller } from '#accounts/caller.ts'
import type { InputOf, Operation, OutputOf } from '#contract/operation.ts'
import type { Site } from '#sites/site.ts'

/** What an operation on one site finds resolved: the site, on which the caller holds the operation's permission. */
export interface CalledOnSite {
  caller: Caller
  site: Site
}

type Called<O extends Operation> = O['subject'] extends 'site' | 'source' | 'token' ? CalledOnSite : { caller: Caller }

/** One function for each operation, by its id; it knows neither the surface nor how the caller was recognised. */
export type Implementations<O extends Operation, Services> = {
  readonly [One in O as One['id']]: (ctx: Services & Called<One>, input: InputOf<One>) => Promise<OutputOf<One>>
}
