import type { ControlTransaction } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import { type MatcherInput, refuseContradiction } from './definition-input.ts'
import type { Matcher } from './definitions.ts'
import { checkEventName } from './event-names.ts'
import { exactPage } from './exact-page.ts'
import { findPropertiesInForce } from './properties.ts'
import { resolveRules } from './property-rules.ts'

/**
 * Completes the matcher of a conversion: an event with its property rules, or one exact page (spec 2.6).
 * @throws Refusal invalid_input, conflict (a computed field was sent with another value).
 */
export async function resolveMatcher(
  trx: ControlTransaction,
  site: { id: string; root_domain: string },
  asked: MatcherInput,
): Promise<Matcher> {
  const { kind, event_name, property_rules = [] } = asked
  if (kind === 'pageview') {
    if (event_name !== undefined || property_rules.length > 0) {
      throw new Refusal(
        'invalid_input',
        'A pageview conversion takes a hostname and a path: leave event_name and property_rules out.',
      )
    }
    const page = exactPage(site, asked)
    refuseContradiction('The matcher', asked, page, ['path_fidelity', 'path_transform_version'])
    return { kind, ...page, property_rules: [] }
  }
  if (event_name === undefined) throw new Refusal('invalid_input', 'An event conversion needs an event_name.')
  if (asked.hostname !== undefined || asked.path !== undefined) {
    throw new Refusal(
      'invalid_input',
      'An event conversion has no hostname and no path: leave them out, or use kind pageview.',
    )
  }
  refuseContradiction('The matcher', asked, {}, ['path_fidelity', 'path_transform_version'])
  const name = checkEventName(event_name)
  if (name === 'pageview') {
    throw new Refusal(
      'invalid_input',
      'The event pageview cannot be counted by its name: use kind pageview with a path.',
    )
  }
  const rules = resolveRules(name, property_rules, await findPropertiesInForce(trx, site.id))
  return { kind, event_name: name, property_rules: rules }
}
