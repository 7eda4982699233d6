/** Answers of a brand as operations of people. */

import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Implementations } from '#implementation.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { findBrandOfAccount } from '../brands.ts'
import { makeFixes } from '../fixes/make-fixes.ts'
import { readPayloads } from '../scans/payloads.ts'
import { endClassification, planClassification, startClassification } from '../sentiment/classifications.ts'
import { importAnswers } from './import-answers.ts'

interface Services extends ControlContext {
  /** Opens the evidence store when it is first needed. */
  crawlers(): Promise<{ evidence: EvidenceStore }>
  secrets: SecretBox
  /** The folder of raw responses. */
  payload_folder: string
  /** Is called after a classification began, so that its questions are asked. */
  classifySoon(): void
}

export const manageAnswers: Implementations<ManagementOperationOf<`answers.${string}`>, Services> = {
  async 'answers.import'({ control, clock, brand, crawlers }, { format, exporter = null, document, ...choices }) {
    const { evidence } = await crawlers()
    const { replaces, create_questions } = choices
    const bytes = Buffer.from(document)
    const ctx = { control, clock, evidence }
    const receipt = await importAnswers(ctx, { brand, bytes, format, exporter, replaces, create_questions })
    // People read the fixes right after an import, and without a running service no job makes them.
    if (receipt.stored + receipt.replaced > 0) await makeFixes(ctx, brand)
    return receipt
  },

  async 'answers.classification'({ control, clock, brand, crawlers }) {
    const { evidence } = await crawlers()
    return planClassification({ control, clock, evidence }, brand)
  },

  async 'answers.classify'({ control, clock, brand, crawlers, classifySoon }, { at_most_micros }) {
    const { evidence } = await crawlers()
    const started = await startClassification({ control, clock, evidence }, brand, { at_most_micros })
    classifySoon()
    return started
  },

  async 'answers.classify_cancel'(ctx) {
    return { was_running: await endClassification(ctx, ctx.brand, null) }
  },

  async 'answers.payload'(ctx, { brand, answer }) {
    const { id } = await findBrandOfAccount(ctx.control.db, { account_id: ctx.caller.account_id, brand })
    const kept = await readPayloads(ctx, { brand_id: id, answer_id: answer.toLowerCase() })
    return { tries: kept.map(({ try: number, parts }) => ({ try: number, bodies: parts.map(String) })) }
  },
}
