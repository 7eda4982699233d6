/** Evaluates definitions on one closed day. The results are rows of spoor.definition_daily. */
import type { EvidenceStore } from '#evidence/store.ts'
import { convertedToStore } from '../conversions/converted.sql.ts'
import { batchOf, countConversions } from '../conversions/count-conversions.ts'
import { countFunnels } from '../funnels/count-funnels.ts'
import type { ConversionRevision, FunnelRevision } from './definitions.ts'
import type { DayOfDefinitions } from './derive-definitions.ts'
import { type Evaluation, planEvaluation } from './evaluated-days.ts'

export interface DefinitionCount {
  /** Id of a revision, or of a set of conversions. */
  definition_id: string
  /** From 1 for a funnel, else 0. */
  step: number
  /** What `identity` is a value of, such as `page`; empty for the total. */
  dimension: string
  identity: string
  sessions: number
  events: number
  ambiguous: number
}

export async function evaluateDay(evidence: EvidenceStore, work: DayOfDefinitions): Promise<DefinitionCount[]> {
  return [
    ...(await evaluateFunnels(evidence, work)),
    ...(await evaluateConversions(evidence, work)),
    ...(await evaluateConverted(evidence, work)),
  ]
}

/** A plan that evaluates these definitions from the sessions of the day, without stored counts. */
const planDay = (
  { site_id, day, build }: DayOfDefinitions,
  definitions: readonly (FunnelRevision | ConversionRevision)[],
): Evaluation => planEvaluation({ site_id, builds: [{ day, build }], fact_days: [], cutoff: 0 }, definitions, [])

async function evaluateFunnels(evidence: EvidenceStore, work: DayOfDefinitions): Promise<DefinitionCount[]> {
  if (work.funnels.length === 0) return []
  const counts = await countFunnels(evidence, work.funnels, planDay(work, work.funnels))
  return [...counts].flatMap(([definition_id, { reached, ambiguous }]) =>
    reached
      .map((sessions, at) => ({
        definition_id,
        step: at + 1,
        dimension: '',
        identity: '',
        sessions,
        events: 0,
        ambiguous: at === 0 ? ambiguous : 0,
      }))
      .filter((row) => row.sessions > 0 || row.ambiguous > 0),
  )
}

async function evaluateConversions(evidence: EvidenceStore, work: DayOfDefinitions): Promise<DefinitionCount[]> {
  if (work.conversions.length === 0) return []
  const { by_revision } = await countConversions(evidence, work.conversions, planDay(work, work.conversions))
  return [...by_revision].flatMap(([definition_id, count]) => {
    const row = { definition_id, step: 0, ambiguous: 0 }
    const { converted_sessions, conversion_events } = count
    if (converted_sessions === 0 && conversion_events === 0) return []
    return [
      { ...row, dimension: '', identity: '', sessions: converted_sessions, events: conversion_events },
      ...[...count.sources.values()].map(({ dimension, identity, converted_sessions: sessions }) => ({
        ...row,
        dimension,
        identity,
        sessions,
        events: 0,
      })),
    ]
  })
}

async function evaluateConverted(evidence: EvidenceStore, work: DayOfDefinitions): Promise<DefinitionCount[]> {
  const { converted, site_id, day, build } = work
  if (converted === null) return []
  const of = { site_id, builds: [{ day, build }] }
  const rows = await evidence.all(convertedToStore({ ...batchOf(converted.revisions, [day], of), of }))
  return rows.map(({ page_id, sessions }) => ({
    definition_id: converted.id,
    step: 0,
    identity: page_id,
    sessions,
    events: 0,
    ambiguous: 0,
    dimension: page_id === '' ? '' : 'page',
  }))
}
