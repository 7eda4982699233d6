/** Definitions as answers give them (spec 2.6). */
import { Drawn } from '../compare.ts'
import type { Instant, Matcher } from '../history.ts'
import type { ConversionRevision, Definitions, FunnelRevision, HeldStep } from './definitions.ts'
import { instant, instantOrNull } from './reading.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What revisions of both kinds have. */
export const revisionFields = ({
  ref,
  revision,
  name,
  is_archived,
  from,
  to,
}: ConversionRevision | FunnelRevision) => ({
  revision_id: new Drawn(`${ref} revision ${revision}`, UUID),
  revision,
  name,
  definition_state: is_archived ? 'archived' : 'active',
  effective_from: instant(from),
  effective_to: instantOrNull(to),
})

export const conversionId = ({ ref }: ConversionRevision) => new Drawn(ref, UUID)

/** The slugified first name and 32 hexadecimal digits. */
export const slugOf = ({ ref, name }: FunnelRevision) =>
  new Drawn(`slug of ${ref}`, new RegExp(`^${name.toLowerCase().replaceAll(' ', '-')}-[0-9a-f]{32}$`))

/** A rule keeps the revision of its property that was in force when the conversion was made or edited. */
export function describedMatcher({ matcher, made_at }: ConversionRevision, definitions: Definitions) {
  if (matcher.kind === 'pageview') {
    return { ...matcher, path_fidelity: 'exact', path_transform_version: 'path/v1', property_rules: [] }
  }
  return {
    ...matcher,
    property_rules: matcher.property_rules.map((rule) => {
      const property = definitions.property(matcher.event_name, rule.property_key, made_at)
      return {
        event_name: matcher.event_name,
        ...rule,
        property_revision: property?.revision,
        scalar_kind: property?.kind,
      }
    }),
  }
}

export function describedStep(step: HeldStep, definitions: Definitions) {
  if (step.kind === 'page') return { ...step, path_fidelity: 'exact', path_transform_version: 'path/v1' }
  const { conversion } = step
  const { revision_id, revision, name } = revisionFields(conversion)
  return {
    kind: 'conversion',
    conversion_id: conversionId(conversion),
    revision_id,
    revision,
    name,
    matcher: describedMatcher(conversion, definitions),
  }
}

/** Whether a property that a matcher asks about was not declared yet for a part of a time (docs/tracker/coverage). */
export function asksTooEarly(matcher: Matcher, definitions: Definitions, from: Instant): boolean {
  if (matcher.kind === 'pageview') return false
  return matcher.property_rules.some(({ property_key }) => {
    const declared = definitions.properties.filter(
      (one) => one.event_name === matcher.event_name && one.key === property_key,
    )
    return Math.min(...declared.map((one) => one.from)) > from
  })
}
