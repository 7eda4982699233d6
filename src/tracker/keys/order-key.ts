/** The key with which order ids of a site are hashed, so that no store holds them (rules 6.12). */
import { randomBytes } from 'node:crypto'
import type { ControlContext } from '#control/context.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'

const ORDER_KEY_BYTES = 32

/** The context for which a site's order key is sealed. */
export const orderKeyContext = (site_id: string) => `tracker:${site_id}:order_key`

/** A new order key, sealed. */
export const drawOrderKey = (secrets: SecretBox, site_id: string): string =>
  secrets.seal(randomBytes(ORDER_KEY_BYTES).toString('hex'), orderKeyContext(site_id))

/** The sealed order key; null if it was sealed with another secret key. */
export function openOrderKey(secrets: SecretBox, sealed: string, site_id: string): string | null {
  try {
    return secrets.open(sealed, orderKeyContext(site_id))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/**
 * Replaces the order key of a site that cannot be opened, as after a restore without the secret key. Without one, no
 * sale could be accepted. The old one is kept: if the service started with a wrong secret key and the right one comes
 * back, it is in force again. Returns the key in force; null if the site was removed meanwhile.
 */
export function replaceOrderKey(
  { control, clock, secrets }: ControlContext & { secrets: SecretBox },
  site_id: string,
): Promise<string | null> {
  const drawn = drawOrderKey(secrets, site_id)
  return control.transaction(async (tx) => {
    const stored = await tx
      .selectFrom('trackers')
      .select('sealed_order_key')
      .where('site_id', '=', site_id)
      .executeTakeFirst()
    if (stored === undefined) return null
    const known = openOrderKey(secrets, stored.sealed_order_key, site_id)
    if (known !== null) return known
    const kept = await tx
      .selectFrom('earlier_order_keys')
      .select('sealed_order_key')
      .where('site_id', '=', site_id)
      .orderBy('replaced_at')
      .execute()
    const again = kept.find((earlier) => openOrderKey(secrets, earlier.sealed_order_key, site_id) !== null)
    const sealed_order_key = again?.sealed_order_key ?? drawn
    await tx
      .deleteFrom('earlier_order_keys')
      .where((is) => is.and({ site_id, sealed_order_key }))
      .execute()
    await tx
      .insertInto('earlier_order_keys')
      .values({ site_id, sealed_order_key: stored.sealed_order_key, replaced_at: clock.now() })
      .execute()
    await tx.updateTable('trackers').set({ sealed_order_key }).where('site_id', '=', site_id).execute()
    return secrets.open(sealed_order_key, orderKeyContext(site_id))
  })
}
