/** What may happen in a history: plain values, so that a history can be printed, kept and shortened. */
import type { AgentName } from './agents.ts'

/** Whole minutes since 1970, UTC. Nothing in a history happens between two minutes. */
export type Minute = number

export interface Visit {
  at: Minute
  agent: AgentName
  host: string
  path: string
  /** Null: the response was not observed. */
  status: number | null
  /** The client as the server is sure of it. */
  address?: string
  /** The sender's own verdict on the visitor; live sources only. */
  verified?: true
  /** What the sender calls the request; live sources only. */
  id?: string
}

/** One human at `from` and then every so many minutes, up to `to` included. */
export interface HumanVisits {
  from: Minute
  to: Minute
  every: number
}

/** What one delivery shows. */
export interface Seen {
  humans: HumanVisits[]
  visits: Visit[]
  /** Records or lines that cannot be read. */
  unreadable: number
}

export interface Heartbeat {
  from: Minute
  to: Minute
  /** Null: all hosts. */
  host: string | null
}

export interface Batch extends Seen {
  do: 'batch'
  source: string
  /** Null: no name, so the token distinguishes senders. */
  sender: string | null
  heartbeats: Heartbeat[]
  /** The same body once more, as after a time-out. */
  is_repeated: boolean
}

export interface Upload extends Seen {
  do: 'upload'
  /** Empty: the upload that names no server. */
  server: string
  host: string | null
  /** Days declared as covered, the last one included. */
  covers: { from: string; to: string } | null
  is_partial: boolean
}

export interface Ask {
  do: 'ask'
  window: Window
  /** Null: the parameter is left out. */
  purposes: Purpose[] | null
  limit: number | null
}

export const WINDOWS = ['3d', '7d', '30d', '90d'] as const
export type Window = (typeof WINDOWS)[number]
/** In the order in which answers name them. */
export const PURPOSES = ['search', 'assistant', 'training', 'unknown'] as const
export type Purpose = (typeof PURPOSES)[number]

export type Event =
  | { do: 'clock'; to: Minute }
  | { do: 'connect'; source: string }
  | Batch
  /** A batch that the endpoint refuses as a whole. */
  | { do: 'refused'; source: string; why: 'truncated' | 'no_json' | 'no_token'; seen: Seen }
  | Upload
  | { do: 'primary'; source: string; is_primary: boolean }
  | { do: 'disconnect' | 'reconnect' | 'revoke' | 'token'; source: string }
  | { do: 'retire_sender'; source: string; sender: string }
  | { do: 'gate'; is_open: boolean }
  /** The source counts the host from this day on; `2026-03-01`. */
  | { do: 'assign'; host: string; source: string; from: string }
  | Ask

/** The name by which histories and expectations call the source of a server's uploads. */
export const uploadsOf = (server: string) => (server === '' ? 'uploads' : `uploads of ${server}`)

/** Every minute at which a delivery shows a human. */
export function minutesOf({ humans }: Seen): Minute[] {
  return humans.flatMap(({ from, to, every }) => {
    const minutes: Minute[] = []
    for (let at = from; at <= to; at += every) minutes.push(at)
    return minutes
  })
}
