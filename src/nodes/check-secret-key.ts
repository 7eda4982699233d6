/** All processes of an installation on servers need the same secret key (decisions 8.2). */
import { timingSafeEqual } from 'node:crypto'
import type { Config } from '#config.ts'
import { insertSetting, readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import { findKeyCheck, SECRET_KEY_CHECK } from '#secrets/key-check.ts'

/**
 * Compares the key with the stored check value, which the first process or a move has written. Call it before anything
 * is sealed.
 * @throws Refusal invalid_input: no key is configured; conflict: the other processes have another key.
 */
export async function checkSecretKey(control: ControlStore, { data, secret_key }: Config): Promise<void> {
  const own = findKeyCheck(data, { secret_key })
  if (secret_key === null || own === null) {
    throw new Refusal(
      'invalid_input',
      'SPOOR_SECRET_KEY is not set: nodes on one SPOOR_CLICKHOUSE_URL need the same one. Give all of them 32 random bytes as ' +
        `64 hexadecimal digits or base64 (openssl rand -base64 32)${own === null ? '' : `; this installation has one already, in ${data}/secret.key`}.`,
    )
  }
  const stored = await control.transaction(async (tx) => {
    await insertSetting(tx, SECRET_KEY_CHECK, own)
    return readSetting(tx, SECRET_KEY_CHECK)
  })
  if (stored !== null && stored.length === own.length && timingSafeEqual(Buffer.from(stored), Buffer.from(own))) return
  throw new Refusal(
    'conflict',
    'SPOOR_SECRET_KEY is another one than that of the installation in this database: what its nodes have sealed could not be ' +
      'opened here. Give this process the same key as the others.',
  )
}
