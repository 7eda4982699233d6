/** Answers of a brand as operations of people. */
import type { Clock } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Implementations } from '../../implementation.ts'
import { makeFixes } from '../fixes/make-fixes.ts'
import { importAnswers } from './import-answers.ts'

interface Services {
  control: ControlStore
  clock: Clock
  /** Opens the evidence store when it is first needed. */
  crawlers(): Promise<{ evidence: EvidenceStore }>
}

export const manageAnswers: Implementations<ManagementOperationOf<'answers.import'>, Services> = {
  async 'answers.import'({ control, clock, brand, crawlers }, { format, exporter = null, document, ...choices }) {
    const { evidence } = await crawlers()
    const { replaces, create_questions } = choices
    const bytes = Buffer.from(document)
    const ctx = { control, clock, evidence }
    const receipt = await importAnswers(ctx, { brand, bytes, format, exporter, replaces, create_questions })
    // Whoever has just imported answers looks at the fixes next; without a server no job makes them.
    if (receipt.stored + receipt.replaced > 0) await makeFixes(ctx, brand)
    return receipt
  },
}
