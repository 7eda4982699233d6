import type { ShortWindow } from '../../../src/contract/vocabulary.ts'

/** Without a revision the service answers with the current one. */
export const funnelInput = (site: string, funnel: string, window: ShortWindow, revision: string | undefined) => ({
  site,
  funnel,
  window,
  ...(revision === undefined ? {} : { revision: Number(revision) }),
})
