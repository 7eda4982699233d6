import type { Command } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { Refusal } from '#refusal.ts'
import { type DefinitionOptions, fromArgument, readDefinition, readStep, revisionArgument } from './definition-input.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'
import { lookUpPages, type NamedPage, tellUnseen } from './unseen-pages.ts'

interface StepOptions extends CommonOptions, DefinitionOptions {
  step: object[]
  from?: number
  revision?: number
}

/** Steps in order within a session (decisions 5). */
export function addFunnelCommands(program: Command): void {
  const funnel = program
    .command('funnel')
    .description('steps in order within a session: add, list, show, edit, archive')

  withSteps(
    funnel
      .command('add')
      .description('add a funnel of 2 to 5 steps')
      .argument('<site>', 'domain or id')
      .option(
        '--from <day>',
        'count from this UTC day or instant on (default: the first day with evidence)',
        fromArgument,
      ),
  ).action(async (site: string, { from, ...options }: StepOptions) => {
    const effective_from = from === undefined ? {} : { effective_from: from }
    const definition = await definitionOf(options)
    if (!('name' in definition && 'steps' in definition)) {
      throw new Refusal(
        'invalid_input',
        'a funnel takes a name and 2 to 5 steps: give --name and --step for each of them',
      )
    }
    const [added, unseen] = await reached(options, async (way) => {
      const made = await way.run('funnel.add', { site, definition, ...effective_from })
      return [made, await lookUpPages(way, site, pagesOf(made))] as const
    })
    if (options.json) printJson(added)
    else printLine(`Added ${added.name} as ${added.slug}, from ${added.effective_from} on`)
    tellUnseen(unseen)
  })

  withCommonOptions(
    funnel
      .command('list')
      .description('list the funnels of a site')
      .argument('<site>', 'domain or id')
      .option('--all', 'archived ones too'),
  ).action(async (site: string, options: CommonOptions & { all?: boolean }) => {
    const listed = await reached(options, (way) => way.run('funnel.list', { site }))
    const funnels = listed.funnels.filter((row) => options.all === true || row.definition_state === 'active')
    if (options.json) return printJson({ funnels })
    if (funnels.length === 0) {
      return printLine(
        'No funnels. Add one: spoor funnel add SITE --name NAME --step page:/pricing --step conversion:NAME',
      )
    }
    const table = funnels.map((row) => [
      ...[
        row.name,
        String(row.steps.length),
        String(row.revision),
        row.effective_from,
        row.archived_at ?? 'no',
        row.slug,
      ],
    ])
    printTable(['NAME', 'STEPS', 'REVISION', 'FROM', 'ARCHIVED', 'SLUG'], table)
  })

  withCommonOptions(onFunnel(funnel, 'show', 'show the steps of a funnel and its revisions')).action(
    async (site: string, text: string, options: CommonOptions) => {
      const [shown, unseen] = await reached(options, async (way) => {
        const found = await way.run('funnel.show', { site, funnel: text })
        return [found, await lookUpPages(way, site, pagesOf(found))] as const
      })
      if (options.json) printJson(shown)
      else printFunnel(shown)
      tellUnseen(unseen)
    },
  )

  withSteps(
    onFunnel(funnel, 'edit', 'change name or steps from now on; the slug stays').option(
      '--revision <n>',
      'refuse unless it is at this revision',
      revisionArgument,
    ),
  ).action(async (site: string, text: string, { revision, ...options }: StepOptions) => {
    const stands = revision === undefined ? {} : { revision }
    const definition = await definitionOf(options)
    const [edited, unseen] = await reached(options, async (way) => {
      const made = await way.run('funnel.edit', { site, funnel: text, definition, ...stands })
      return [made, await lookUpPages(way, site, pagesOf(made))] as const
    })
    if (options.json) printJson(edited)
    else printLine(`${edited.name} is at revision ${edited.revision}, from ${edited.effective_from} on`)
    tellUnseen(unseen)
  })

  withCommonOptions(onFunnel(funnel, 'archive', 'count nothing more; what was counted stays')).action(
    async (site: string, text: string, options: CommonOptions) => {
      const archived = await reached(options, (way) => way.run('funnel.archive', { site, funnel: text }))
      if (options.json) printJson(archived)
      else printLine(`Archived ${archived.name} at ${archived.archived_at}`)
    },
  )
}

function onFunnel(funnel: Command, name: string, description: string): Command {
  return funnel
    .command(name)
    .description(description)
    .argument('<site>', 'domain or id')
    .argument('<funnel>', 'its slug, id or name')
}

function withSteps(command: Command): Command {
  return withCommonOptions(
    command
      .option('--name <name>', 'what it is called, 1 to 64 characters')
      .option(
        '--step <step>',
        'page:/path, page:HOST/path or conversion:NAME; repeatable, in order, 2 to 5',
        (text: string, before: object[]) => [...before, readStep(text)],
        [],
      )
      .option('--json-file <file>', 'the definition as JSON, {"name", "steps"}; - for standard input'),
  )
}

async function definitionOf({ name, jsonFile, step }: StepOptions): Promise<object> {
  if (jsonFile !== undefined) return readDefinition(jsonFile, name, step.length === 0 ? [] : ['--step'])
  if (name === undefined && step.length === 0) {
    throw new Refusal('invalid_input', 'nothing is said: give --name or --step, or --json-file')
  }
  return { ...(name === undefined ? {} : { name }), ...(step.length === 0 ? {} : { steps: step }) }
}

type Shown = ManagementOutput<'funnel.show'>

const pagesOf = ({ steps }: Pick<Shown, 'steps'>): NamedPage[] =>
  steps.flatMap((step): NamedPage[] =>
    step.kind === 'page' ? [step] : step.matcher.kind === 'pageview' ? [step.matcher] : [],
  )

function printFunnel(shown: Shown): void {
  const archived = shown.archived_at === null ? '' : `, archived at ${shown.archived_at}`
  printLine(`${shown.name} (${shown.slug})${archived}`)
  for (const [at, step] of shown.steps.entries()) printLine(`  ${at + 1}. ${stepText(step)}`)
  printLine()
  const table = shown.revisions.map((row) => [
    ...[String(row.revision), row.name, row.effective_from, row.effective_to ?? '-', row.revision_id],
  ])
  printTable(['REVISION', 'NAME', 'FROM', 'TO', 'ID'], table)
}

function stepText(step: Shown['steps'][number]): string {
  return step.kind === 'page'
    ? `page ${step.hostname}${step.path}`
    : `conversion ${step.name}, revision ${step.revision}`
}
