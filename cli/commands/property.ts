/** Properties of events: only declared ones are stored, and events with others are refused (decisions 5). */

import { Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { SCALAR_KINDS } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { MAX_ENUM_VALUES } from '#tracker/definitions/limits.ts'
import { BadUsage } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { argument, flag, mapped, option, repeatable, together } from '../input/parameters.ts'
import { readEventName, readNameOf, readPropertyKey } from '../input/value-forms.ts'
import { tableOr } from '../output.ts'
import { siteArgument as site } from './site.ts'

type Property = ManagementOutput<'property.add'>

function readOwnEvent(text: string): string {
  if (readEventName(text) !== 'pageview') return text
  throw new BadUsage('pageviews have no properties: give the name of an event that is sent beside them')
}

const property = {
  site,
  event_name: argument('<event>', 'name of the event, for example signup', readOwnEvent),
  property_key: argument('<key>', 'key of the property, for example plan', readPropertyKey),
}
const kind = () => new Option('--kind <kind>', 'kind of its values').choices(SCALAR_KINDS)
const enum_values = mapped(
  repeatable(
    '--value <value>',
    'an allowed value of an enum; repeatable; together they replace earlier values',
    readNameOf('a value of an enum'),
  ),
  (values) => {
    if (values.length > MAX_ENUM_VALUES) {
      throw new BadUsage(`${values.length} values are given; an enum has at most ${MAX_ENUM_VALUES}`)
    }
    const twice = values.find((value, at) => values.indexOf(value) < at)
    if (twice !== undefined) throw new BadUsage(`the value ${quoted(twice)} is given twice: give each one once`)
    return values.length === 0 ? undefined : values
  },
)

export const propertyCommands = group('property', 'properties that named events may carry: declare, change, end', [
  operation('property.add', 'declare a property, so that events may carry it', {
    parameters: mapped(
      together({
        ...property,
        scalar_kind: option<Property['scalar_kind']>(kind().makeOptionMandatory()),
        enum_values,
      }),
      (declared) => {
        if (declared.scalar_kind === 'enum' && declared.enum_values === undefined) {
          throw new BadUsage('an enum has 1 to 50 values: give --value for each of them')
        }
        return withoutForeignValues(declared)
      },
    ),
    text: (added) => `Declared ${propertyText(added)}`,
  }),
  command('list', 'list the properties of a site', {
    parameters: { site, all: flag('--all', 'ended revisions too') },
    async run({ site, all }, { run }) {
      const { properties } = await run('property.list', { site })
      return { properties: properties.filter(({ ended_at }) => all || ended_at === null) }
    },
    text: ({ properties }) =>
      tableOr(
        'No properties. Declare one: spoor property add SITE signup plan --kind enum --value free --value pro',
        properties,
        { EVENT: 'event_name', KEY: 'property_key', KIND: kindText, REVISION: 'revision', ENDED: ['ended_at', 'no'] },
      ),
  }),
  operation('property.edit', 'change kind or values from now on', {
    parameters: mapped(
      together({ ...property, scalar_kind: option<Property['scalar_kind'] | undefined>(kind()), enum_values }),
      withoutForeignValues,
    ),
    text: (edited) => `Now in force: ${propertyText(edited)}`,
  }),
  operation('property.end', 'end a property; its stored values stay', {
    parameters: property,
    text: (ended) => `Ended ${propertyText(ended)}`,
  }),
])

function withoutForeignValues<Given extends { scalar_kind?: Property['scalar_kind']; enum_values?: string[] }>(
  given: Given,
): Given {
  if (given.enum_values === undefined || given.scalar_kind === undefined || given.scalar_kind === 'enum') return given
  throw new BadUsage(`only an enum has values, and the kind is ${given.scalar_kind}: leave --value out`)
}

function propertyText(property: Property): string {
  const { event_name, property_key, revision } = property
  return `${event_name} ${property_key}: ${kindText(property)}, revision ${revision}`
}

function kindText({ scalar_kind, enum_values }: Property): string {
  return enum_values === null ? scalar_kind : `${scalar_kind} (${enum_values.join(', ')})`
}
