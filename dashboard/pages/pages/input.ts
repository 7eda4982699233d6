import type { Window } from '../../../src/contract/vocabulary.ts'

/** The default limit is left out, so that pages share what was read. */
export const pagesInput = (site: string, window: Window, limit: string | undefined) => ({
  site,
  window,
  ...(limit === undefined ? {} : { limit: Number(limit) }),
})
