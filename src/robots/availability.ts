/** What the fetch of a robots.txt means before any rule is read (RFC 9309 2.3.1). */
import { parseRobots, type RobotsFile } from './parse.ts'

/** A fetch as it went, up to five redirects followed. */
export interface RobotsFetch {
  /** Status of the final response; null if there was none. */
  status: number | null
  /** It ended after more redirects than are followed; `status` is then that of a redirect or null. */
  has_too_many_redirects?: boolean
  /** Of a 2xx response; empty for the others. */
  body: Uint8Array
  /** Since when no fetch was answered by 2xx or 4xx; 0 unless known. */
  unreachable_for_ms?: number
  /** The body of the last good fetch before this one, for a file that cannot be reached now. */
  last_body?: Uint8Array
}

export type RobotsAvailability =
  | { state: 'fetched'; file: RobotsFile }
  /** 4xx and too many redirects: no rules. */
  | { state: 'unavailable'; status: number | null }
  /** 5xx and no response: everything is disallowed. */
  | { state: 'unreachable'; for_ms: number; last_file: RobotsFile | null }

/** The state of a robots.txt after a fetch (RFC 9309 2.3.1). */
export function availabilityOf(fetch: RobotsFetch): RobotsAvailability {
  const { status, body, has_too_many_redirects = false } = fetch
  if (has_too_many_redirects) return { state: 'unavailable', status }
  if (status !== null && status >= 200 && status < 300) return { state: 'fetched', file: parseRobots(body) }
  if (status !== null && status < 500) return { state: 'unavailable', status }
  const { unreachable_for_ms: for_ms = 0, last_body } = fetch
  return { state: 'unreachable', for_ms, last_file: last_body === undefined ? null : parseRobots(last_body) }
}
