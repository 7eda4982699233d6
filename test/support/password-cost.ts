/**
 * Passwords of tests are hashed at the lowest cost that argon2id has: a tenth of a second for each is time that proves
 * nothing. What is stored names this cost, so that every process can verify it.
 */
import { COST } from '#accounts/password.ts'

const SHIPPED = { ...COST }

export function lowerPasswordCost(): void {
  Object.assign(COST, { memory: 8 * SHIPPED.parallelism, passes: 1 })
}

/** For the test of the cost itself, until its file ends. */
export function restorePasswordCost(): void {
  Object.assign(COST, SHIPPED)
}
