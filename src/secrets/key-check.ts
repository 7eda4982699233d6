/** Distinguishes the secret key of an installation on servers from others, without revealing it (decisions 8.2). */
import { createHmac } from 'node:crypto'
import type { Config } from '#config.ts'
import { findKey } from './key.ts'

/** The setting that holds the check value. */
export const SECRET_KEY_CHECK = 'secret_key_check'

/** Returns the check value of the key for this data folder, or null if there is no key. */
export function findKeyCheck(folder: string, { secret_key }: Pick<Config, 'secret_key'>): string | null {
  const key = findKey(folder, secret_key)
  return key === null ? null : createHmac('sha256', key).update('spoor key check').digest('hex')
}
