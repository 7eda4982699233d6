/** Proves the client of a request while the request is stored, before its address is dropped (rules 4). */
import type { ControlContext } from '#control/context.ts'
import { readSetting } from '#control/settings.ts'
import type { Network } from '#networks.ts'
import type { Registry } from '../registry/classify.ts'
import { type ListVersion, readListVersions } from './lists/list-versions.ts'
import { LISTS_REVISION } from './lists/store-list-version.ts'
import { type HeldLists, type Prove, type ProveRequest, proveBy } from './prove-request.ts'
import { networksOf } from './proxy-networks.ts'
import { NameCache } from './reverse-dns-answers.ts'

export type { ProveRequest }

export interface Prover {
  prove: Prove
  /** Reads lists and a registry that have changed; cheap if nothing has. */
  refresh(): Promise<void>
  /** The inputs of `prove`, for a thread that proves by itself. */
  lists(): HeldLists
  /** Pending addresses, and known names. */
  readonly names: NameCache
  /** False: names are not resolved. */
  readonly asks_names: boolean
}

export interface ProverContext extends ControlContext {
  registries: { current(): Promise<Registry> }
}

export interface ProverOptions {
  /** False, as under a simulated clock: names are not resolved. */
  asks_names: boolean
  /** Addresses of trusted proxies are not the client's. */
  trusted_proxies: readonly Network[]
}

/** Makes a prover. It has no lists, and proves nothing, until the first `refresh`. */
export function makeProver(ctx: ProverContext, { asks_names, trusted_proxies }: ProverOptions): Prover {
  const trusted = networksOf(trusted_proxies)
  let revision: string | null | undefined
  let versions = new Map<string, ListVersion>()
  let held: HeldLists = { versions: [], trusted }
  let registry: Registry | null = null
  const names = new NameCache(ctx.clock)
  const make = () => proveBy(registry, held, asks_names ? names : null)
  let prove = make()

  const refreshLists = async () => {
    const now = await readSetting(ctx.control.db, LISTS_REVISION)
    if (now === revision) return
    const read = await readListVersions(ctx, versions)
    versions = new Map(read.map((version) => [version.id, version]))
    held = { versions: read, trusted }
    revision = now
    prove = make()
  }

  return {
    names,
    asks_names,
    lists: () => held,
    prove: (request, others) => prove(request, others),
    async refresh() {
      const current = await ctx.registries.current()
      if (current !== registry) {
        registry = current
        prove = make()
      }
      await refreshLists()
    },
  }
}
