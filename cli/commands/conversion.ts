/** `conversion`: what a site counts as a success (decisions 5). */

import type { ManagementOutput } from '#contract/management-api/index.ts'
import { MAX_RULES } from '#tracker/definitions/limits.ts'
import { BadUsage } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import type { RunOperation } from '../folder/client.ts'
import {
  definitionName,
  effective_from,
  readDefinition,
  readPage,
  readRule,
  readRuleForm,
  refuseFlagsWithFile,
  refuseIncomplete,
  revision,
} from '../input/definition-input.ts'
import { argument, flag, mapped, optional, type ParameterValue, repeatable, together } from '../input/parameters.ts'
import { readEventName } from '../input/value-forms.ts'
import { lines, tableOr } from '../output.ts'
import { siteArgument as site } from './site.ts'
import { unseenPageNotes } from './unseen-pages.ts'

function readCountedEvent(text: string): string {
  if (readEventName(text) !== 'pageview') return text
  throw new BadUsage('pageview is the event of every page: count the views of one with --page')
}

type Conversion = ManagementOutput<'conversion.add'>

const conversion = argument('<conversion>', 'its id or name')
const flags = together({
  name: definitionName,
  event: optional('--event <name>', 'count events of this name', readCountedEvent),
  rule: repeatable(
    '--rule <rule>',
    `only events with KEY=VALUE, KEY=A,B or KEY=1..20; repeatable, at most ${MAX_RULES}`,
    readRuleForm,
  ),
  page: optional('--page <page>', 'count views of this page: /path or HOST/path', readPage),
  file: optional('--json-file <file>', 'the definition as JSON, {"name", "matcher"}; - for standard input'),
})

export const conversionCommands = group('conversion', 'the successes of a site: add, list, edit, archive', [
  operation('conversion.add', 'count an event or a page as a conversion', {
    parameters: mapped(together({ site, effective_from, flags }), async ({ flags, ...input }, run) => ({
      ...input,
      definition: await wholeConversion(input.site, flags, run),
    })),
    text: (added) => `Added ${added.name}, id ${added.id}: ${matcherText(added)}, from ${added.effective_from} on`,
    notes: (added, { site }, { run }) => unseenPageNotes(run, site, pagesOf(added)),
  }),
  command('list', 'list the conversions of a site', {
    parameters: { site, all: flag('--all', 'archived ones too') },
    async run({ site, all }, { run }) {
      const { conversions } = await run('conversion.list', { site })
      return { conversions: conversions.filter((row) => all || row.definition_state === 'active') }
    },
    text: ({ conversions }) =>
      tableOr('No conversions. Add one: spoor conversion add SITE --name "Signed up" --event signup', conversions, {
        NAME: 'name',
        COUNTS: matcherText,
        REVISION: 'revision',
        FROM: 'effective_from',
        ARCHIVED: ['archived_at', 'no'],
        ID: 'id',
      }),
  }),
  operation(
    'conversion.edit',
    'change its name or what it counts from now on, also in the active funnels that use it',
    {
      parameters: mapped(together({ site, conversion, revision, flags }), async ({ flags, ...input }, run) => ({
        ...input,
        definition: await readConversion(input.site, flags, run),
      })),
      text: (edited) =>
        lines(
          `${edited.name} is at revision ${edited.revision}: ${matcherText(edited)}, from ${edited.effective_from} on`,
          ...edited.revised_funnels.map((funnel) => `The funnel ${funnel.name} is at revision ${funnel.revision}`),
        ),
      notes: (edited, { site }, { run }) => unseenPageNotes(run, site, pagesOf(edited)),
    },
  ),
  operation('conversion.archive', 'stop counting; earlier counts are kept', {
    parameters: { site, conversion },
    text: ({ name, archived_at }) => `Archived ${name} at ${archived_at}`,
  }),
])

type Flags = ParameterValue<typeof flags>

async function wholeConversion(site: string, given: Flags, run: RunOperation): Promise<object> {
  checkFlags(given)
  const { name, event, page, file } = given
  if (file === undefined && (name === undefined || (event === undefined && page === undefined))) {
    throw new BadUsage('a conversion takes a name and what it counts: give --name and --event or --page')
  }
  const definition = await readConversion(site, given, run)
  if (file !== undefined) refuseIncomplete(definition, ['name', 'matcher'], file)
  return definition
}

/** The definition from the options or from their file; an edit may leave parts out. */
async function readConversion(site: string, given: Flags, run: RunOperation): Promise<object> {
  checkFlags(given)
  const { name, file, event, rule, page } = given
  if (file !== undefined) return readDefinition(file, name)
  const named = name === undefined ? {} : { name }
  if (page !== undefined) return { ...named, matcher: { kind: 'pageview', ...page } }
  if (event === undefined) return named
  const { properties } = rule.length === 0 ? { properties: [] } : await run('property.list', { site })
  const property_rules = rule.map((text) => readRule(event, text, properties))
  return { ...named, matcher: { kind: 'event', event_name: event, property_rules } }
}

function checkFlags({ name, file, event, rule, page }: Flags): void {
  const given = Object.entries({ '--event': event, '--page': page, '--rule': rule[0] }).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag],
  )
  if (file !== undefined) refuseFlagsWithFile(given)
  else if (page !== undefined && given.length > 1) {
    throw new BadUsage('--page cannot be combined with --event or --rule, which count events: give one or the other')
  } else if (rule.length > 0 && event === undefined) {
    throw new BadUsage('--rule needs --event: name the event that it is about')
  } else if (rule.length > MAX_RULES) {
    throw new BadUsage(`${rule.length} rules are given; a conversion has at most ${MAX_RULES}`)
  } else if (given.length === 0 && name === undefined) {
    throw new BadUsage('no definition is given: give --name, --event or --page, or --json-file')
  }
}

const pagesOf = ({ matcher }: Pick<Conversion, 'matcher'>) => (matcher.kind === 'pageview' ? [matcher] : [])

function matcherText({ matcher }: Pick<Conversion, 'matcher'>): string {
  if (matcher.kind === 'pageview') return `views of ${matcher.hostname}${matcher.path}`
  const rules = matcher.property_rules.map(
    ({ property_key, comparison }) => `${property_key}=${operandText(comparison)}`,
  )
  return `events ${matcher.event_name}${rules.length === 0 ? '' : ` where ${rules.join(' and ')}`}`
}

/** As `--rule` takes it. */
function operandText(comparison: object): string {
  if ('lower' in comparison && 'upper' in comparison) return `${comparison.lower}..${comparison.upper}`
  return Object.values(comparison).join()
}
