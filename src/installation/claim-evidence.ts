import { EVIDENCE_ID, insertSetting, readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { evidenceIdentity } from '#evidence/store-identity.ts'
import { Refusal } from '#refusal.ts'

/**
 * Binds control store and evidence store to each other, once; of several processes that start at once, one does.
 * Coverage in the control store describes facts in that evidence store: with another one, unknown days would become
 * zero (decisions 8).
 * @throws Refusal conflict: the control store belongs to another evidence store.
 */
export async function claimEvidence({
  control,
  evidence,
}: {
  control: ControlStore
  evidence: EvidenceStore
}): Promise<void> {
  const own = await evidenceIdentity(evidence)
  const bound = await control.transaction(async (trx) => {
    await insertSetting(trx, EVIDENCE_ID, own)
    return readSetting(trx, EVIDENCE_ID)
  })
  if (bound === own) return
  throw new Refusal(
    'conflict',
    `The control store belongs to the evidence store ${bound}, but the one that is configured is ${own}. ` +
      'Each would show what only the other observed as zero, so they are not used together. Choose the data folder of that evidence ' +
      'with --data or its servers with SPOOR_CLICKHOUSE_URL, restore it from a backup, or give this one a control store of its own ' +
      '(SPOOR_DATABASE_URL).',
  )
}
