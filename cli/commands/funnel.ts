/** `funnel`: steps in order within a session (decisions 5). */

import type { ManagementOutput } from '#contract/management-api/index.ts'
import { refuseStepCount } from '#tracker/definitions/step-count.ts'
import { BadUsage, judgedBy } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import {
  definitionName,
  effective_from,
  readDefinition,
  readStep,
  refuseFlagsWithFile,
  refuseIncomplete,
  revision,
} from '../input/definition-input.ts'
import { argument, flag, mapped, optional, type ParameterValue, repeatable, together } from '../input/parameters.ts'
import { lines, table, tableOr } from '../output.ts'
import { siteArgument as site } from './site.ts'
import { type NamedPage, unseenPageNotes } from './unseen-pages.ts'

type Funnel = ManagementOutput<'funnel.show'>

const funnel = argument('<funnel>', 'its name, id or slug; the start of the slug is enough if only one begins so')
const flags = together({
  name: definitionName,
  steps: repeatable(
    '--step <step>',
    'page:/path, page:HOST/path or conversion:NAME; repeatable, in order, 2 to 5',
    readStep,
  ),
  file: optional('--json-file <file>', 'the definition as JSON, {"name", "steps"}; - for standard input'),
})

export const funnelCommands = group('funnel', 'steps in order within a session: add, list, show, edit, archive', [
  operation('funnel.add', 'add a funnel of 2 to 5 steps', {
    parameters: { site, effective_from, definition: mapped(flags, wholeFunnel) },
    text: (added) => `Added ${added.name} as ${added.slug}, from ${added.effective_from} on`,
    notes: (added, { site }, { run }) => unseenPageNotes(run, site, pagesOf(added)),
  }),
  command('list', 'list the funnels of a site', {
    parameters: { site, all: flag('--all', 'archived ones too') },
    async run({ site, all }, { run }) {
      const { funnels } = await run('funnel.list', { site })
      return { funnels: funnels.filter((row) => all || row.definition_state === 'active') }
    },
    text: ({ funnels }) =>
      tableOr(
        'No funnels. Add one: spoor funnel add SITE --name NAME --step page:/pricing --step conversion:NAME',
        funnels,
        {
          NAME: 'name',
          STEPS: (row) => String(row.steps.length),
          REVISION: 'revision',
          FROM: 'effective_from',
          ARCHIVED: ['archived_at', 'no'],
          SLUG: 'slug',
        },
      ),
  }),
  operation('funnel.show', 'show the steps of a funnel and its revisions', {
    parameters: { site, funnel },
    text: funnelText,
    notes: (shown, { site }, { run }) => unseenPageNotes(run, site, pagesOf(shown)),
  }),
  operation('funnel.edit', 'change name or steps from now on; the slug stays', {
    parameters: { site, funnel, revision, definition: mapped(flags, readFunnel) },
    text: ({ name, revision, effective_from }) => `${name} is at revision ${revision}, from ${effective_from} on`,
    notes: (edited, { site }, { run }) => unseenPageNotes(run, site, pagesOf(edited)),
  }),
  operation('funnel.archive', 'stop counting; earlier counts are kept', {
    parameters: { site, funnel },
    text: ({ name, archived_at }) => `Archived ${name} at ${archived_at}`,
  }),
])

type Flags = ParameterValue<typeof flags>

async function wholeFunnel(given: Flags): Promise<object> {
  const definition = await readFunnel(given)
  if (given.file !== undefined) refuseIncomplete(definition, ['name', 'steps'], given.file)
  else if (given.name === undefined || given.steps.length === 0) {
    throw new BadUsage('a funnel takes a name and 2 to 5 steps: give --name and --step for each of them')
  }
  return definition
}

/** The definition from the options or from their file; an edit may leave parts out. */
async function readFunnel({ name, steps, file }: Flags): Promise<object> {
  if (file !== undefined) {
    refuseFlagsWithFile(steps.length === 0 ? [] : ['--step'])
    return readDefinition(file, name)
  }
  if (name === undefined && steps.length === 0) {
    throw new BadUsage('no definition is given: give --name, --step or --json-file')
  }
  if (steps.length > 0) checkStepCount(steps)
  return { ...(name === undefined ? {} : { name }), ...(steps.length === 0 ? {} : { steps }) }
}

const checkStepCount = judgedBy(refuseStepCount)

function pagesOf({ steps }: Pick<Funnel, 'steps'>): NamedPage[] {
  return steps.flatMap((step): NamedPage[] => {
    if (step.kind === 'page') return [step]
    return step.matcher.kind === 'pageview' ? [step.matcher] : []
  })
}

function funnelText({ name, slug, archived_at, steps, revisions }: Funnel): string {
  return lines(
    `${name} (${slug})${archived_at === null ? '' : `, archived at ${archived_at}`}`,
    ...steps.map((step, index) => `  ${index + 1}. ${stepText(step)}`),
    '',
    table(revisions, {
      REVISION: 'revision',
      NAME: 'name',
      FROM: 'effective_from',
      TO: ['effective_to', '-'],
      ID: 'revision_id',
    }),
  )
}

function stepText(step: Funnel['steps'][number]): string {
  return step.kind === 'page'
    ? `page ${step.hostname}${step.path}`
    : `conversion ${step.name}, revision ${step.revision}`
}
