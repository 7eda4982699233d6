import { Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { FIX_KINDS, FIX_STATUS_FILTERS } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { formatCount } from '#quantities.ts'
import { command, group, operation } from '../command.ts'
import { readLimit, wholeNumber, wholeNumberBetween } from '../input/argument-values.ts'
import { confirm } from '../input/ask.ts'
import { argument, flag, mapped, option, optional, required } from '../input/parameters.ts'
import { readId, readReason } from '../input/value-forms.ts'
import { lines, tableOr } from '../output.ts'

const brand = required('--brand <brand>', 'id or name of the brand')
const fix = argument('<fix>', 'its id', readId('fix list'))
const readVersion = wholeNumberBetween(1, 99_999)
const version = optional('--fix-version <version>', 'refuse unless the fix still has this version', readVersion)
const LISTED_AT_ONCE = 200
const FIRST = 0

type Fix = ManagementOutput<'fix.show'>

export const fixCommands = group('fix', 'what would make engines name and cite a brand more often', [
  operation('fix.list', 'list the fixes of a brand, newest first', {
    parameters: {
      brand,
      kind: option<(typeof FIX_KINDS)[number] | undefined>(
        new Option('--kind <kind>', 'only of this kind').choices(FIX_KINDS),
      ),
      status: option<(typeof FIX_STATUS_FILTERS)[number]>(
        new Option('--status <status>', 'which ones').choices(FIX_STATUS_FILTERS).default('all'),
      ),
      limit: mapped(
        optional('--limit <limit>', `most fixes to list (default: ${LISTED_AT_ONCE})`, readLimit),
        (given) => given ?? LISTED_AT_ONCE,
      ),
      offset: mapped(optional('--offset <offset>', 'how many to skip', readCount), (given) => given ?? FIRST),
    },
    text: ({ fixes, total_count }) =>
      lines(
        tableOr('No such fixes.', fixes, {
          ID: 'id',
          KIND: 'kind',
          STATUS: 'status',
          EFFECT: ({ verification }) => verification.state,
          TITLE: 'title',
        }),
        fixes.length < total_count
          ? `${formatCount(fixes.length)} of ${formatCount(total_count)}; --offset shows the others`
          : null,
      ),
  }),
  operation('fix.show', 'show a fix, its evidence and its prompt', { parameters: { brand, fix }, text: fixText }),
  operation('fix.accept', 'accept an open fix', { parameters: { brand, fix, version }, text: statusText }),
  operation('fix.dismiss', 'dismiss a fix; it is not proposed again', {
    parameters: { brand, fix, version, reason: optional('--reason <text>', 'why', readReason) },
    text: statusText,
  }),
  operation('fix.complete', 'mark an accepted fix as done; later evidence shows whether it worked', {
    parameters: { brand, fix, version },
    text: statusText,
  }),
  operation('fix.reopen', 'open a completed or dismissed fix again', {
    parameters: { brand, fix, version },
    text: statusText,
  }),
  command('remove', 'delete a fix; the same evidence may make it again, unlike that of a dismissed one', {
    parameters: { brand, fix, version, yes: flag('--yes', 'do not ask') },
    async run({ yes, ...named }, { run, json }) {
      const { title, status } = await run('fix.show', { brand: named.brand, fix: named.fix })
      if (!yes) await confirm(json, `This removes the ${status} fix ${quoted(title)}, for good.`)
      return run('fix.remove', named)
    },
    text: ({ title }) => `Removed: ${title}`,
  }),
])

function statusText({ title, status, version: now }: Fix): string {
  return `${title}: ${status} (version ${now})`
}

function fixText(one: Fix): string {
  const { verification, evidence_refs } = one
  return lines(
    one.title,
    `${one.kind}, ${one.status} (version ${one.version}), made ${one.created_at}`,
    '',
    one.description,
    '',
    ...evidence_refs.map((ref) => `Evidence: ${ref.kind} ${'id' in ref ? ref.id : ref.url}`),
    `Effect: ${verification.state}${verification.reason === null ? '' : ` (${verification.reason})`}`,
    one.dismissed_reason === null ? null : `Dismissed: ${one.dismissed_reason}`,
    '',
    one.fix_prompt,
  )
}

function readCount(text: string): number {
  return wholeNumber(/^\d{1,5}$/, 'Give a whole number, 0 to 99999.')(text)
}
