/** How stores fail, for the scenarios of both stores. */

export const AWAY_MS = 8_000
export const TIMES = 3
export const SLOW_MS = 20_000

/** A commit reaches the log of the server before it is answered, so that the death of a process loses none. */
export const DURABLE = { synchronous_commit: 'on' }
