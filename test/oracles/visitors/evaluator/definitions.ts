/**
 * What the owner declared and defined by an instant: properties, revisions of conversions and of funnels (rules 6,
 * decisions 5).
 */
import type { FunnelStep, Instant, Matcher, PropertyRule, Scalar, Step } from '../history.ts'

/** How late the collector may learn of a definition. */
const LEARNED_MS = 2_000

/** A revision of a property. */
export interface Property {
  revision: number
  event_name: string
  key: string
  kind: 'enum' | 'integer' | 'boolean'
  values: readonly string[]
  from: Instant
  to: Instant | null
}

interface Revision {
  /** One for each thing defined, whatever its revisions are. */
  ref: string
  name: string
  revision: number
  made_at: Instant
  from: Instant
  to: Instant | null
  is_archived: boolean
}

export interface ConversionRevision extends Revision {
  matcher: Matcher
}

export type HeldStep =
  | Exclude<FunnelStep, { kind: 'conversion' }>
  | { kind: 'conversion'; conversion: ConversionRevision }

export interface FunnelRevision extends Revision {
  asked: readonly FunnelStep[]
  steps: readonly HeldStep[]
}

export class Definitions {
  readonly properties: Property[] = []
  readonly conversions: ConversionRevision[] = []
  readonly funnels: FunnelRevision[] = []
  privacy_floor = 0

  /**
   * `evidence_from`: midnight of the first day with evidence, which definitions count from; null while there is none.
   */
  take(step: Step, evidence_from: Instant | null): void {
    switch (step.do) {
      case 'declare':
        this.properties.push({ ...step, revision: 1, from: step.at, to: null })
        break
      case 'edit_property': {
        const old = this.property(step.event_name, step.key)
        if (old === null) break
        old.to = step.at
        this.properties.push({ ...old, values: step.values, revision: old.revision + 1, from: step.at, to: null })
        break
      }
      case 'end_property': {
        const old = this.property(step.event_name, step.key)
        if (old !== null) old.to = step.at
        break
      }
      case 'add_conversion':
        this.conversions.push({ ...first(this.conversions, 'conversion', step, evidence_from), matcher: step.matcher })
        break
      case 'edit_conversion': {
        const old = newest(this.conversions, step.name)
        // What changes nothing makes no revision.
        if (old === null || JSON.stringify(old.matcher) === JSON.stringify(step.matcher)) break
        const edited = { ...next(old, step.at), matcher: step.matcher }
        this.conversions.push(edited)
        // A step holds the conversion as it is now: the active funnels that use it are revised at the same instant.
        for (const funnel of this.#newestFunnels()) {
          if (funnel.is_archived || !funnel.steps.some((held) => isOf(held, old.ref))) continue
          this.funnels.push({ ...next(funnel, step.at), asked: funnel.asked, steps: this.#hold(funnel.asked) })
        }
        break
      }
      case 'add_funnel':
        this.funnels.push({
          ...first(this.funnels, 'funnel', step, evidence_from),
          asked: step.steps,
          steps: this.#hold(step.steps),
        })
        break
      case 'edit_funnel': {
        const old = newest(this.funnels, step.name)
        const steps = this.#hold(step.steps)
        if (old === null || JSON.stringify(old.steps) === JSON.stringify(steps)) break
        this.funnels.push({ ...next(old, step.at), asked: step.steps, steps })
        break
      }
      case 'archive_conversion':
        archive(newest(this.conversions, step.name), step.at)
        break
      case 'archive_funnel':
        archive(newest(this.funnels, step.name), step.at)
        break
      case 'privacy_floor':
        this.privacy_floor = step.sessions
        break
    }
  }

  /** The revision in force at an instant; left out, now. */
  property(event_name: string, key: string, at?: Instant): Property | null {
    const isInForce = ({ from, to }: Property) =>
      at === undefined ? to === null : from <= at && (to === null || to > at)
    return this.properties.find((one) => one.event_name === event_name && one.key === key && isInForce(one)) ?? null
  }

  /** Names that a property, or a matcher in force, has. */
  names(): Set<string> {
    const matchers = this.conversions.filter(({ to }) => to === null).map(({ matcher }) => matcher)
    return new Set([
      ...this.properties.filter(({ to }) => to === null).map(({ event_name }) => event_name),
      ...matchers.flatMap((matcher) => (matcher.kind === 'event' ? [matcher.event_name] : [])),
    ])
  }

  /**
   * Whether a property or a matcher in force had the name from one instant to another without a pause. The collector
   * learns of a definition up to two seconds late (rules 6.1); sales are never of another name.
   */
  isNamed(name: string, { from, to }: { from: Instant; to: Instant }): boolean {
    if (name === 'revenue') return true
    const matching = this.conversions.filter(({ matcher }) => matcher.kind === 'event' && matcher.event_name === name)
    const periods = [
      ...this.properties.filter(({ event_name }) => event_name === name),
      ...matching.map(({ made_at, to }) => ({ from: made_at, to })),
    ].sort((a, b) => a.from - b.from)
    let named_to = from - LEARNED_MS
    for (const period of periods) if (period.from <= named_to) named_to = Math.max(named_to, period.to ?? Infinity)
    return named_to >= to
  }

  #newestFunnels(): FunnelRevision[] {
    return this.funnels.filter((funnel) => newest(this.funnels, funnel.name) === funnel)
  }

  #hold(steps: readonly FunnelStep[]): HeldStep[] {
    return steps.map((step) => {
      if (step.kind === 'page') return step
      const conversion = newest(this.conversions, step.name)
      if (conversion === null) throw new Error(`no conversion ${step.name}`)
      return { kind: 'conversion', conversion }
    })
  }
}

function first(
  known: readonly Revision[],
  kind: string,
  { at, name }: { at: Instant; name: string },
  evidence_from: Instant | null,
): Revision {
  const from = evidence_from ?? at
  return { ref: `${kind} ${known.length + 1}`, name, revision: 1, made_at: at, from, to: null, is_archived: false }
}

function next(old: Revision, at: Instant): Revision {
  old.to = at
  old.is_archived = true
  return { ...old, revision: old.revision + 1, made_at: at, from: at, to: null, is_archived: false }
}

function archive(revision: Revision | null, at: Instant): void {
  if (revision === null) return
  revision.to = at
  revision.is_archived = true
}

const newest = <R extends Revision>(revisions: readonly R[], name: string): R | null =>
  revisions.filter((revision) => revision.name === name).at(-1) ?? null

const isOf = (step: HeldStep, ref: string) => step.kind === 'conversion' && step.conversion.ref === ref

/** Whether a declared value is what a rule asks for. */
export function ruleHolds({ operator, comparison }: PropertyRule, value: Scalar | undefined): boolean {
  if (value === undefined) return false
  if (operator === 'equals') return 'value' in comparison && comparison.value === value
  if (operator === 'one_of') return 'values' in comparison && comparison.values.includes(String(value))
  return 'lower' in comparison && Number(value) >= comparison.lower && Number(value) <= comparison.upper
}
