/** Failures of a search engine's API, with a stable code (account API 3, connections). */
import { OutgoingRefusal } from '#outgoing/refused.ts'

export type SearchFault =
  | 'key_rejected'
  | 'not_permitted'
  | 'rate_limited'
  | 'unreachable'
  | 'provider_error'
  | 'unreadable'
  | 'key_unreadable'

export class SearchFailure extends Error {
  readonly fault: SearchFault
  constructor(fault: SearchFault, message: string) {
    super(message)
    this.name = 'SearchFailure'
    this.fault = fault
  }
}

/** A network failure. Its message has nothing of the request, because a key may be in the URL. */
export function unreachable(error: unknown): SearchFailure {
  if (!(error instanceof OutgoingRefusal)) throw error
  return new SearchFailure('unreachable', `The search engine's API cannot be reached (${error.code}).`)
}
