import { type Command, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { SCALAR_KINDS } from '#contract/vocabulary.ts'
import { type CommonOptions, collect, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'

interface KindOptions extends CommonOptions {
  kind?: (typeof SCALAR_KINDS)[number]
  value: string[]
}

/** What of events is stored beside their names; the rest of what a page sends is refused (decisions 5). */
export function addPropertyCommands(program: Command): void {
  const property = program.command('property').description('what may come with a named event: declare, change, end')

  withKind(named(property, 'add', 'declare a property, so that events may carry it'), true).action(
    async (site: string, event_name: string, property_key: string, { kind, value, ...options }: KindOptions) => {
      const asked = {
        site,
        event_name,
        property_key,
        scalar_kind: kind as (typeof SCALAR_KINDS)[number],
        ...valuesOf(value),
      }
      tell(options, 'Declared', await reached(options, (way) => way.run('property.add', asked)))
    },
  )

  withCommonOptions(
    property
      .command('list')
      .description('list the properties of a site')
      .argument('<site>', 'domain or id')
      .option('--all', 'ended revisions too'),
  ).action(async (site: string, options: CommonOptions & { all?: boolean }) => {
    const listed = await reached(options, (way) => way.run('property.list', { site }))
    const properties = listed.properties.filter((row) => options.all === true || row.ended_at === null)
    if (options.json) return printJson({ properties })
    if (properties.length === 0) {
      return printLine(
        'No properties. Declare one: spoor property add SITE signup plan --kind enum --value free --value pro',
      )
    }
    const table = properties.map((row) => [
      ...[row.event_name, row.property_key, kindOf(row), String(row.revision), row.ended_at ?? 'no'],
    ])
    printTable(['EVENT', 'KEY', 'KIND', 'REVISION', 'ENDED'], table)
  })

  withKind(named(property, 'edit', 'change kind or values from now on'), false).action(
    async (site: string, event_name: string, property_key: string, { kind, value, ...options }: KindOptions) => {
      const scalar_kind = kind === undefined ? {} : { scalar_kind: kind }
      const asked = { site, event_name, property_key, ...scalar_kind, ...valuesOf(value) }
      tell(options, 'Now in force:', await reached(options, (way) => way.run('property.edit', asked)))
    },
  )

  withCommonOptions(named(property, 'end', 'take a property out of force; what is stored of it stays')).action(
    async (site: string, event_name: string, property_key: string, options: CommonOptions) => {
      tell(
        options,
        'Ended',
        await reached(options, (way) => way.run('property.end', { site, event_name, property_key })),
      )
    },
  )
}

function named(property: Command, name: string, description: string): Command {
  return property
    .command(name)
    .description(description)
    .argument('<site>', 'domain or id')
    .argument('<event>', 'name of the event, for example signup')
    .argument('<key>', 'key of the property, for example plan')
}

function withKind(command: Command, is_required: boolean): Command {
  return withCommonOptions(
    command
      .addOption(new Option('--kind <kind>', 'of what kind').choices(SCALAR_KINDS).makeOptionMandatory(is_required))
      .option('--value <value>', 'a value of an enum; repeatable; all of them replace those before', collect, []),
  )
}

const valuesOf = (values: string[]) => (values.length === 0 ? {} : { enum_values: values })

type Property = ManagementOutput<'property.add'>

const kindOf = ({ scalar_kind, enum_values }: Property) =>
  enum_values === null ? scalar_kind : `${scalar_kind} (${enum_values.join(', ')})`

function tell({ json }: CommonOptions, done: string, property: Property): void {
  if (json) printJson(property)
  else
    printLine(
      `${done} ${property.event_name} ${property.property_key}: ${kindOf(property)}, revision ${property.revision}`,
    )
}
