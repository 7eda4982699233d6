/** Stores receipts of imports, so that people can read them again (decisions 7.5). */

import { randomUUID } from 'node:crypto'
import { instantText } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { plainName } from '#names.ts'
import type { ImportReceipt } from './receipt.ts'

const MAX_RECEIPTS = 100
const MAX_LABEL = 200
const MAX_HOSTS = 100

/**
 * Stores a receipt without excerpts of lines and hosts outside the site, which are only printed, and deletes the oldest
 * receipts.
 * @returns the unchanged receipt.
 */
export async function storeReceipt(
  { control, clock }: ControlContext,
  { site_id, label }: { site_id: string; label: string },
  receipt: ImportReceipt,
): Promise<ImportReceipt> {
  const { other_hosts: _printed, ...counted } = receipt
  const stored: StoredReceipt = {
    ...counted,
    malformed_samples: receipt.malformed_samples.map(({ line_number, reason }) => ({ line_number, reason })),
    hosts: Object.fromEntries(Object.entries(receipt.hosts).slice(0, MAX_HOSTS)),
  }
  await control.transaction(async (trx) => {
    await trx
      .insertInto('import_receipts')
      .values({
        id: randomUUID(),
        site_id,
        label: plainName(label).slice(0, MAX_LABEL),
        imported_at: clock.now(),
        receipt: JSON.stringify(stored),
      })
      .execute()
    const newest = trx
      .selectFrom('import_receipts')
      .select('id')
      .where('site_id', '=', site_id)
      .orderBy('imported_at', 'desc')
      .orderBy('id')
      .limit(MAX_RECEIPTS)
    await trx.deleteFrom('import_receipts').where('site_id', '=', site_id).where('id', 'not in', newest).execute()
  })
  return receipt
}

/** A stored receipt, without excerpts and hosts outside the site. */
export type StoredReceipt = Omit<ImportReceipt, 'malformed_samples' | 'other_hosts'> & {
  malformed_samples: { line_number: number; reason: string }[]
}

/** The receipts of a site, newest first. */
export async function readReceipts({ control }: Pick<ControlContext, 'control'>, site_id: string, limit: number) {
  const rows = await control.db
    .selectFrom('import_receipts')
    .selectAll()
    .where('site_id', '=', site_id)
    .orderBy('imported_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, label, imported_at, receipt }) => ({
    id,
    label,
    imported_at: instantText(imported_at),
    receipt: JSON.parse(receipt) as StoredReceipt,
  }))
}
