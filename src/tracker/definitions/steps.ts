import type { ControlTransaction } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import { refuseContradiction, type StepInput } from './definition-input.ts'
import type { ConversionRevision, Step } from './definitions.ts'
import { exactPage } from './exact-page.ts'
import { findLatestConversions, pickDefinition } from './latest-revisions.ts'
import { refuseStepCount } from './step-count.ts'

/**
 * Completes the steps of a funnel: exact pages, and conversions with their revision in force (spec 2.6).
 * @throws Refusal invalid_input, not_found (no such conversion), conflict (it is archived, or a field differs).
 */
export async function resolveSteps(
  trx: ControlTransaction,
  site: { id: string; root_domain: string },
  asked: readonly StepInput[],
): Promise<Step[]> {
  refuseStepCount(asked)
  const conversions = await findLatestConversions(trx, site.id)
  return asked.map((step, at) =>
    step.kind === 'page' ? pageStep(site, step, at + 1) : resolveConversionStep(conversions, step, at + 1),
  )
}

/** A conversion as a step of a funnel. */
export function conversionStep({ conversion_id, id, revision, name, matcher }: ConversionRevision): Step {
  return { kind: 'conversion', conversion_id, revision_id: id, revision, name, matcher }
}

const CONVERSION_FIELDS = ['conversion', 'conversion_id', 'revision_id', 'revision', 'name', 'matcher'] as const
const PAGE_FIELDS = ['hostname', 'path', 'path_fidelity', 'path_transform_version'] as const

function pageStep(site: { root_domain: string }, step: StepInput, position: number): Step {
  const page = exactPage(site, step)
  refuseFields(step, CONVERSION_FIELDS, position)
  refuseContradiction(`Step ${position}`, step, page, ['path_fidelity', 'path_transform_version'])
  return { kind: 'page', ...page }
}

function resolveConversionStep(conversions: readonly ConversionRevision[], step: StepInput, position: number): Step {
  refuseFields(step, PAGE_FIELDS, position)
  const text = step.conversion_id ?? step.conversion ?? step.name
  if (text === undefined)
    throw new Refusal('invalid_input', `Step ${position} names no conversion: give its id or name.`)
  const found = pickDefinition('conversion', conversions, { idOf: (row) => row.conversion_id }, text)
  if (found.archived_at !== null) {
    throw new Refusal('conflict', `Step ${position}: the conversion "${found.name}" is archived; name an active one.`)
  }
  const resolved = conversionStep(found)
  refuseContradiction(`Step ${position}`, step, resolved, [
    'conversion_id',
    'revision_id',
    'revision',
    'name',
    'matcher',
  ])
  return resolved
}

/** @throws Refusal invalid_input: the step has one of these fields, which belong to steps of the other kind. */
function refuseFields(step: StepInput, fields: readonly (keyof StepInput)[], position: number): void {
  const given = fields.find((field) => step[field] !== undefined)
  if (given !== undefined) {
    throw new Refusal(
      'invalid_input',
      `Step ${position} is of the kind ${step.kind}, which has no ${given}: leave it out.`,
    )
  }
}
