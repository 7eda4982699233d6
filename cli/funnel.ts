/** Steps in order within a session (decisions 5). */

import type { ManagementOutput } from '#contract/management-api/index.ts'
import { BadUsage } from './bad-usage.ts'
import { command, group, operation } from './command.ts'
import { definitionName, effective_from, readDefinition, readStep, revision } from './definition-input.ts'
import { lines, table, tableOr } from './output.ts'
import { argument, flag, mapped, optional, repeatable, together } from './parameters.ts'
import { siteArgument as site } from './site.ts'
import { type NamedPage, unseenPageNotes } from './unseen-pages.ts'

type Funnel = ManagementOutput<'funnel.show'>

const funnel = argument('<funnel>', 'its name, id or slug; the start of the slug is enough if only one begins so')
/** The definition that the options say, or that their file holds; a part of one for an edit. */
const definition = mapped(
  together({
    name: definitionName,
    steps: repeatable(
      '--step <step>',
      'page:/path, page:HOST/path or conversion:NAME; repeatable, in order, 2 to 5',
      readStep,
    ),
    file: optional('--json-file <file>', 'the definition as JSON, {"name", "steps"}; - for standard input'),
  }),
  async ({ name, steps, file }): Promise<object> => {
    if (file !== undefined) return readDefinition(file, steps.length === 0 ? [] : ['--step'], name)
    if (name === undefined && steps.length === 0) {
      throw new BadUsage('no definition is given: give --name, --step or --json-file')
    }
    return { ...(name === undefined ? {} : { name }), ...(steps.length === 0 ? {} : { steps }) }
  },
)

export const funnelCommands = group('funnel', 'steps in order within a session: add, list, show, edit, archive', [
  operation('funnel.add', 'add a funnel of 2 to 5 steps', {
    parameters: { site, effective_from, definition: mapped(definition, wholeFunnel) },
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
    parameters: { site, funnel, revision, definition },
    text: ({ name, revision, effective_from }) => `${name} is at revision ${revision}, from ${effective_from} on`,
    notes: (edited, { site }, { run }) => unseenPageNotes(run, site, pagesOf(edited)),
  }),
  operation('funnel.archive', 'stop counting; what was counted stays', {
    parameters: { site, funnel },
    text: ({ name, archived_at }) => `Archived ${name} at ${archived_at}`,
  }),
])

function wholeFunnel(definition: object): object {
  if ('name' in definition && 'steps' in definition) return definition
  throw new BadUsage('a funnel takes a name and 2 to 5 steps: give --name and --step for each of them')
}

function pagesOf({ steps }: Pick<Funnel, 'steps'>): NamedPage[] {
  return steps.flatMap((step): NamedPage[] =>
    step.kind === 'page' ? [step] : step.matcher.kind === 'pageview' ? [step.matcher] : [],
  )
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
