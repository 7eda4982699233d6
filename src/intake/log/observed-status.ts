/** Interprets a logged status: of an observed response, a placeholder, or no status of HTTP (rules 2). */

/** A status has three digits (RFC 9110, 15). */
export const MAX_STATUS = 999

/** Numbers below 100, nginx 444 and 499, and AWS 460 are placeholders: nothing was sent, or the client had left. */
export const isObservedStatus = (status: number): boolean =>
  status >= 100 && status !== 444 && status !== 499 && status !== 460

/** The status of a fact; null if no response was observed. */
export const observedStatus = (raw: number | null): number | null =>
  raw !== null && isObservedStatus(raw) ? raw : null
