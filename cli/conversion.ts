import type { Command } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { Refusal } from '#refusal.ts'
import {
  type DefinitionOptions,
  fromArgument,
  readDefinition,
  readPage,
  readRule,
  revisionArgument,
} from './definition-input.ts'
import { type CommonOptions, collect, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import type { Reach } from './reach.ts'
import { reached } from './site.ts'
import { lookUpPages, tellUnseen } from './unseen-pages.ts'

interface MatcherOptions extends CommonOptions, DefinitionOptions {
  event?: string
  rule: string[]
  page?: string
  from?: number
  revision?: number
}

/** What a site counts as a success (decisions 5). */
export function addConversionCommands(program: Command): void {
  const conversion = program.command('conversion').description('what counts as a success: add, list, edit, archive')

  withMatcher(
    conversion
      .command('add')
      .description('count an event or a page as a conversion')
      .argument('<site>', 'domain or id')
      .option(
        '--from <day>',
        'count from this UTC day or instant on (default: the first day with evidence)',
        fromArgument,
      ),
  ).action(async (site: string, { from, ...options }: MatcherOptions) => {
    const effective_from = from === undefined ? {} : { effective_from: from }
    const [added, unseen] = await reached(options, async (way) => {
      const definition = whole(await definitionOf(way, site, options))
      const made = await way.run('conversion.add', { site, definition, ...effective_from })
      return [made, await lookUpPages(way, site, pagesOf(made))] as const
    })
    if (options.json) printJson(added)
    else printLine(`Added ${added.name}, id ${added.id}: ${matcherText(added)}, from ${added.effective_from} on`)
    tellUnseen(unseen)
  })

  withCommonOptions(
    conversion
      .command('list')
      .description('list the conversions of a site')
      .argument('<site>', 'domain or id')
      .option('--all', 'archived ones too'),
  ).action(async (site: string, options: CommonOptions & { all?: boolean }) => {
    const listed = await reached(options, (way) => way.run('conversion.list', { site }))
    const conversions = listed.conversions.filter((row) => options.all === true || row.definition_state === 'active')
    if (options.json) return printJson({ conversions })
    if (conversions.length === 0) {
      return printLine('No conversions. Add one: spoor conversion add SITE --name "Signed up" --event signup')
    }
    const table = conversions.map((row) => [
      ...[row.name, matcherText(row), String(row.revision), row.effective_from, row.archived_at ?? 'no', row.id],
    ])
    printTable(['NAME', 'COUNTS', 'REVISION', 'FROM', 'ARCHIVED', 'ID'], table)
  })

  withMatcher(
    conversion
      .command('edit')
      .description('change name or matcher from now on, and the active funnels that use it')
      .argument('<site>', 'domain or id')
      .argument('<conversion>', 'its id or name')
      .option('--revision <n>', 'refuse unless it is at this revision', revisionArgument),
  ).action(async (site: string, text: string, { revision, ...options }: MatcherOptions) => {
    const stands = revision === undefined ? {} : { revision }
    const [edited, unseen] = await reached(options, async (way) => {
      const definition = await definitionOf(way, site, options)
      const made = await way.run('conversion.edit', { site, conversion: text, definition, ...stands })
      return [made, await lookUpPages(way, site, pagesOf(made))] as const
    })
    tellUnseen(unseen)
    if (options.json) return printJson(edited)
    printLine(
      `${edited.name} is at revision ${edited.revision}: ${matcherText(edited)}, from ${edited.effective_from} on`,
    )
    for (const funnel of edited.revised_funnels)
      printLine(`The funnel ${funnel.name} is at revision ${funnel.revision}`)
  })

  withCommonOptions(
    conversion
      .command('archive')
      .description('count nothing more; what was counted stays')
      .argument('<site>', 'domain or id')
      .argument('<conversion>', 'its id or name'),
  ).action(async (site: string, text: string, options: CommonOptions) => {
    const archived = await reached(options, (way) => way.run('conversion.archive', { site, conversion: text }))
    if (options.json) printJson(archived)
    else printLine(`Archived ${archived.name} at ${archived.archived_at}`)
  })
}

function withMatcher(command: Command): Command {
  return withCommonOptions(
    command
      .option('--name <name>', 'what it is called, 1 to 64 characters')
      .option('--event <name>', 'count events of this name')
      .option('--rule <rule>', 'only events with KEY=VALUE, KEY=A,B or KEY=1..20; repeatable, at most 8', collect, [])
      .option('--page <page>', 'count views of this page: /path or HOST/path')
      .option('--json-file <file>', 'the definition as JSON, {"name", "matcher"}; - for standard input'),
  )
}

async function definitionOf(way: Reach, site: string, options: MatcherOptions): Promise<object> {
  const { name, jsonFile, event, rule, page } = options
  const flags = { '--event': event, '--page': page, '--rule': rule[0] }
  const given = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  if (jsonFile !== undefined) return readDefinition(jsonFile, name, given)
  if (page !== undefined && given.length > 1) {
    throw new Refusal('invalid_input', '--page stands alone: --event and --rule are for events')
  }
  if (rule.length > 0 && event === undefined) throw new Refusal('invalid_input', '--rule needs --event')
  const named = name === undefined ? {} : { name }
  if (page !== undefined) return { ...named, matcher: { kind: 'pageview', ...readPage(page) } }
  if (event === undefined) {
    if (name !== undefined) return named
    throw new Refusal('invalid_input', 'nothing is said: give --name, --event or --page, or --json-file')
  }
  const { properties } = rule.length === 0 ? { properties: [] } : await way.run('property.list', { site })
  const property_rules = rule.map((text) => readRule(event, text, properties))
  return { ...named, matcher: { kind: 'event', event_name: event, property_rules } }
}

function whole(definition: object): object {
  if ('name' in definition && 'matcher' in definition) return definition
  throw new Refusal('invalid_input', 'a conversion takes a name and what it counts: give --name and --event or --page')
}

const pagesOf = ({ matcher }: Pick<ManagementOutput<'conversion.add'>, 'matcher'>) =>
  matcher.kind === 'pageview' ? [matcher] : []

function matcherText({ matcher }: Pick<ManagementOutput<'conversion.add'>, 'matcher'>): string {
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
