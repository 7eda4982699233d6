import { Refusal } from '#refusal.ts'

/** The content of a document before its networks are checked. */
export interface RawList {
  entries: string[]
  published_at: number | null
  is_whole_as: boolean
}

export function refuse(reason: string): never {
  throw new Refusal('not_readable', `this is not a usable list of a crawler's addresses: ${reason}; nothing was loaded`)
}
