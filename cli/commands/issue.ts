/** Issues: observed harm to crawlers, its later states, and harm that is intended. */
import { Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { HARMS } from '#contract/vocabulary.ts'
import { readMarkedPath } from '#issues/intended/marked-path.ts'
import { formatCount } from '#quantities.ts'
import { judgedBy } from '../bad-usage.ts'
import { group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { wholeNumber } from '../input/argument-values.ts'
import { argument, mapped, option, optional, together } from '../input/parameters.ts'
import { readHostName } from '../input/value-forms.ts'
import { lines, table, tableOr, yesOrNo } from '../output.ts'
import { inspectionState } from './inspection.ts'
import { siteArgument as site } from './site.ts'

type Mark = ManagementOutput<'issue.intended'>
type Shown = ManagementOutput<'issue.show'>
type Verified = ManagementOutput<'issue.verify'>

const readLimit = wholeNumber(/^([1-9]\d{0,2}|1000)$/, 'Give a number from 1 to 1000.')
const issue = argument('<issue>', 'its id')

export const issueCommands = group('issue', 'observed harm to crawlers: list, show, verify, mark as intended', [
  operation('issue.list', 'list the issues of a site, the worst first', {
    parameters: { site, limit: optional('--limit <number>', 'most issues to list (default: 50)', readLimit) },
    text: ({ issues, total_count, impostor_refusals }, { site }) =>
      lines(
        tableOr('No issue is recorded.', issues, {
          ID: 'id',
          STATE: (row) => (row.fix_confirmed_at === null ? row.state : 'fix_confirmed'),
          CAUSE: 'cause',
          CONFIDENCE: 'confidence',
          TITLE: 'title',
        }),
        total_count > issues.length ? `${formatCount(total_count - issues.length)} more: raise --limit` : null,
        issues[0] === undefined
          ? null
          : `\nWhat was observed and what to do about it:\n${asTypedHere(`  spoor issue show ${site} ${issues[0].id}`)}`,
        ...impostorLines(impostor_refusals),
      ),
  }),
  operation('issue.show', 'show one issue with its changes, inspections and fix prompt', {
    parameters: { site, issue },
    text: shownText,
  }),
  operation('issue.verify', 'inspect the pages of an issue now', {
    parameters: { site, issue },
    text: ({ verification: { state, next_at }, inspection, ...verified }) =>
      lines(
        verified.title,
        `State: ${verified.state}. The inspection is ${state}${next_at === null ? '' : `; the next may begin at ${next_at}`}.`,
        inspection === null ? null : findingText(inspection),
      ),
  }),
  operation('issue.intended', 'mark harm as intended: no issue is opened for it, and open ones leave the list', {
    parameters: mapped(
      together({
        site,
        host: argument('<host>', 'host, for example www.example.com', readHostName),
        path: argument('<path>', 'a path, or a prefix that ends with * (in quotes)'),
        harm: option<Mark['harm']>(new Option('--harm <harm>', 'kind of harm').choices(HARMS).makeOptionMandatory()),
        crawler: optional('--crawler <id>', 'one crawler, for example gptbot (default: all)'),
      }),
      judgedBy((mark) => {
        readMarkedPath(mark.path, mark.harm)
        return mark
      }),
    ),
    text: (mark) => `Intended: ${markText(mark)}. Mark ${mark.id}`,
  }),
  operation('issue.intended_list', 'list what is marked as intended', {
    parameters: { site },
    text: ({ marks }) =>
      tableOr('Nothing is marked as intended.', marks, { ID: 'id', MARK: markText, REVOKED: ['revoked_at', 'no'] }),
  }),
  operation('issue.intended_revoke', 'revoke a mark; evidence after that opens a new issue', {
    parameters: { site, mark: argument('<mark>', 'its id') },
    text: (mark) => `Revoked ${mark.id}: ${markText(mark)}`,
  }),
])

function impostorLines(refusals: ManagementOutput<'issue.list'>['impostor_refusals']): string[] {
  if (refusals.length === 0) return []
  return [
    '\nRefusals of impostors only, which are not issues:',
    table(refusals, {
      'CLAIMED TO BE': 'crawler_id',
      REQUESTS: (row) => String(row.requests),
      PAGE: (row) => `${row.host}${row.path}`,
      DAYS: (row) => `${row.first_day} to ${row.last_day}`,
    }),
  ]
}

type Inspected = NonNullable<Verified['inspection']>

/** The result of an inspection, or why it has none. */
function findingText(inspection: Inspected): string {
  const { id, is_clean, obstacle, ended_at } = inspection
  if (is_clean === null)
    return obstacle === null ? `Inspection ${id} has not ended.` : `Nothing was found: ${obstacle}.`
  return `Found${ended_at === null ? '' : ` at ${ended_at}`}: ${resultText(inspection)}. Inspection ${id}.`
}

function resultText({ is_clean, reproduced }: Inspected): string {
  if (reproduced === 'yes') return 'the same harm'
  return is_clean === true ? 'no harm' : 'neither the same harm nor a clean answer'
}

const markText = ({ harm, host, path_key, crawler_id }: Mark) =>
  `${harm} for ${crawler_id ?? 'every crawler'} at ${host}${path_key}`

function shownText({ issue, changes, inspections, paths, path_count }: Shown): string {
  return lines(
    issue.title,
    `State: ${issue.state}, cause: ${issue.cause}, confidence: ${issue.confidence}`,
    issue.description ?? null,
    path_count > 1 ? `Paths (${formatCount(paths.length)} of ${formatCount(path_count)}): ${paths.join(' ')}` : null,
    '',
    table(changes, { WHEN: 'at', CHANGE: 'change' }),
    inspections.length === 0 ? null : '',
    inspections.length === 0
      ? null
      : table(inspections, {
          INSPECTION: 'id',
          REASON: 'reason',
          STATE: inspectionState,
          ENDED: ['ended_at', '-'],
          CLEAN: ({ is_clean }) => yesOrNo(is_clean),
          REPRODUCED: ['reproduced', '-'],
        }),
    issue.fix_prompt === null ? null : `\n${issue.fix_prompt}`,
  )
}
