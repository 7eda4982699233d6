/** Epoch milliseconds, UTC. */
export type EpochMs = number
/** SQL has no portable boolean that every driver binds. */
export type Truth = 0 | 1
