/** Whether requests of the account API can be counted: while they cannot, all of them are refused (account API 5). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { QUOTAS } from '#control/quotas/open-quotas.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { type Finding, finding } from './findings.ts'

/** No account has this id. */
const NOBODY = ''

interface QuotasContext {
  folder: string
  service: object | null
  quotas?: Pick<QuotaStore, 'read'>
}

/** Empty if they can, or if nothing was counted yet; `read` would make the file. */
export async function checkQuotas({ folder, service, quotas }: QuotasContext): Promise<Finding[]> {
  if (quotas === undefined || (service === null && !existsSync(join(folder, QUOTAS)))) return []
  try {
    await quotas.read(NOBODY)
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [finding('quotas_failed', `Requests of the account API cannot be counted, and all are refused: ${why}.`)]
  }
}
