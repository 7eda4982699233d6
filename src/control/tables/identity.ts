import type { EpochMs, Truth } from './scalars.ts'

/** One content of a published list of addresses. A later one supersedes it; none is deleted (decisions 3.3). */
export interface IpListVersionRow {
  id: string
  /** The URL by which the registry names the list. */
  list_id: string
  /** Of the prefixes. */
  sha256: string
  /** One a line, in their one spelling, sorted. */
  prefixes: string
  /** 1: all of an autonomous system, which proves nothing. */
  is_whole_as: Truth
  /** The date that the document itself carries. */
  published_at: EpochMs | null
  loaded_at: EpochMs
  /** The last time that the list had this content. */
  confirmed_at: EpochMs
  superseded_at: EpochMs | null
}

/** How the last attempt to load a list went. */
export interface IpListLoadRow {
  list_id: string
  attempted_at: EpochMs
  /** Why it failed; null when it did not. */
  failure: string | null
}

/** A client address whose names are still to be asked for: the only ones at rest, for 7 days at most (rules 4). */
export interface PendingAddressRow {
  /** Random; the facts of its requests carry it. */
  id: string
  address: string
  /** The earliest request that waits. */
  requested_at: EpochMs
  received_at: EpochMs
  attempts: number
  next_attempt_at: EpochMs
}
