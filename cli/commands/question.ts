import { Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { QUESTION_KINDS, QUESTION_STATUS_FILTERS } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { countOf, formatCount } from '#quantities.ts'
import { BadUsage } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { readLimit, wholeNumber } from '../input/argument-values.ts'
import { confirm } from '../input/ask.ts'
import { argument, flag, mapped, option, optional, repeatable, required, together } from '../input/parameters.ts'
import { readCountry, readId, readQuestionText, readTag } from '../input/value-forms.ts'
import { lines, tableOr } from '../output.ts'

const brand = required('--brand <brand>', 'id or name of the brand')
const question = argument('<question>', 'its id', readId('question list'))

const MAX_TAGS = 10

const newQuestion = together({
  text: argument('<text>', 'the question, up to 300 characters', readQuestionText),
  country: optional('--country <country>', 'ask it from this country (ISO code such as DE)', readCountry),
  tags: mapped(repeatable('--tag <tag>', `a tag; repeatable, up to ${MAX_TAGS}`, readTag), (tags) => {
    if (tags.length <= MAX_TAGS) return tags
    throw new BadUsage(`${tags.length} tags are given; at most ${MAX_TAGS} are allowed`)
  }),
})

export const questionCommands = group('question', 'what engines are asked about a brand', [
  operation('question.add', 'add a question', {
    parameters: { brand, questions: mapped(newQuestion, (given) => [given]) },
    text: ({ created, rejected }) =>
      lines(
        ...created.map(({ id, text, kind }) => `Added ${id} (${kind}): ${text}`),
        ...rejected.map(({ message, existing_id }) => `Not added: ${message} ${existing_id ?? ''}`.trimEnd()),
      ),
  }),
  operation('question.list', 'list the questions of a brand', {
    parameters: {
      brand,
      status: option<(typeof QUESTION_STATUS_FILTERS)[number]>(
        new Option('--status <status>', 'which ones').choices(QUESTION_STATUS_FILTERS).default('active'),
      ),
      kind: option<(typeof QUESTION_KINDS)[number] | undefined>(
        new Option('--kind <kind>', 'branded: questions that name the brand').choices(QUESTION_KINDS),
      ),
      country: optional('--country <country>', 'only questions for this country; none: for no country', (text) =>
        text === 'none' ? text : readCountry(text),
      ),
      limit: mapped(
        optional('--limit <limit>', 'most questions to list (default: 200)', readLimit),
        (given) => given ?? 200,
      ),
      offset: mapped(optional('--offset <offset>', 'how many to skip', readCount), (given) => given ?? FIRST),
    },
    text: ({ questions, total_count }) =>
      lines(
        tableOr('No such questions.', questions, {
          ID: 'id',
          KIND: 'kind',
          COUNTRY: ['country', '-'],
          STATUS: 'status',
          TEXT: 'text',
        }),
        questions.length < total_count
          ? `${formatCount(questions.length)} of ${formatCount(total_count)}; --offset shows the others`
          : null,
      ),
  }),
  operation('question.archive', 'stop asking a question; its answers stay', {
    parameters: { brand, question },
    text: ({ text }) => `Archived: ${text}`,
  }),
  operation('question.restore', 'ask an archived question again', {
    parameters: { brand, question },
    text: ({ text }) => `Active: ${text}`,
  }),
  operation('question.contents', 'count what would be removed with a question', {
    parameters: { brand, question },
    text: contentsText,
  }),
  command('remove', 'remove a question with its answers and fixes, for good', {
    parameters: { brand, question, yes: flag('--yes', 'do not ask') },
    async run({ brand, question, yes }, { run, json }) {
      const contents = await run('question.contents', { brand, question })
      if (!yes) await confirm(json, `This removes ${contentsText(contents)}, for good.`)
      return run('question.remove', { brand, question })
    },
    text: ({ text }) => `Removed: ${text}`,
  }),
])

function contentsText({ text, answers, fixes }: ManagementOutput<'question.contents'>): string {
  return `${quoted(text)} with ${countOf(answers, 'answer')} and ${countOf(fixes, 'fix', 'fixes')}`
}

const FIRST = 0

function readCount(text: string): number {
  return wholeNumber(/^\d{1,5}$/, 'Give a whole number, 0 to 99999.')(text)
}
