import { extname } from 'node:path'
import { Option } from 'commander'
import { MAX_TAGS } from '#contract/account-api/questions.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import {
  ANSWER_EXPORTERS,
  ANSWER_FORMATS,
  type AnswerExporter,
  type AnswerFormat,
  QUESTION_CREATIONS,
  type QuestionCreation,
} from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { countOf, formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { BadUsage } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { confirm } from '../input/ask.ts'
import { readWholeText } from '../input/input-files.ts'
import { argument, flag, option, required } from '../input/parameters.ts'
import { isId } from '../input/value-forms.ts'
import { lines } from '../output.ts'
import { dollars } from './engine.ts'
import { refusedText } from './refused-records.ts'

type Plan = ManagementOutput<'answers.classification'>
type Receipt = ManagementOutput<'answers.import'>

const brand = required('--brand <brand>', 'id or name of the brand')

const importParameters = {
  file: argument('<file>', 'JSON, NDJSON or CSV file, or - for standard input'),
  brand,
  format: option<AnswerFormat | undefined>(
    new Option('--format <format>', 'format of the file (default: by its name)').choices(ANSWER_FORMATS),
  ),
  exporter: option<AnswerExporter | undefined>(
    new Option('--from <tool>', 'the tool that exported it (default: Spoor’s own format)').choices(ANSWER_EXPORTERS),
  ),
  replaces: flag('--replace', 'replace stored answers whose content has changed'),
  create_questions: option<QuestionCreation>(
    new Option('--create-questions [status]', 'create questions that the brand does not have')
      .choices(QUESTION_CREATIONS)
      .preset('active')
      .default('none'),
  ),
}

export const answersCommands = group('answers', 'answers of engines about a brand', [
  command('import', 'import answers; the same file again changes nothing', {
    parameters: importParameters,
    /** The client reads the file, because the server opens no given path. */
    async run({ file, brand, format, exporter, replaces, create_questions }, { run }) {
      const form = format ?? formatOf(file)
      const document = await readWholeText(file)
      const of_tool = exporter === undefined ? {} : { exporter }
      return run('answers.import', { brand, format: form, ...of_tool, replaces, create_questions, document })
    },
    text: receiptText,
    failure: ({ records, refused }) =>
      records > 0 && refused.length === records
        ? new Refusal('invalid_input', 'Every record was refused, and nothing was stored.')
        : null,
  }),
  command('classify', 'classify how stored answers speak of brands; shows the price first', {
    parameters: { brand, yes: flag('--yes', 'do not ask') },
    async run({ brand: named, yes }, { run, json }) {
      const plan = await run('answers.classification', { brand: named })
      if (!yes && plan.engine !== null && plan.answers > 0) await confirm(json, priceText(plan))
      return run('answers.classify', { brand: named, at_most_micros: plan.at_most_micros })
    },
    text: ({ engine, answers, at_most_micros }) =>
      `${engine} is asked about ${countOf(answers, 'answer')}, for at most ${dollars(at_most_micros)}`,
  }),
  operation('answers.classification', 'show what a classification would cost, and how far the last one got', {
    parameters: { brand },
    text: (plan) => lines(priceText(plan), plan.last === null ? null : classificationText(plan.last)),
  }),
  operation('answers.classify_cancel', 'stop classifying stored answers; calls already running finish by themselves', {
    parameters: { brand },
    text: ({ was_running }) => (was_running ? 'Stopped' : 'No classification is running.'),
  }),
  operation('answers.payload', 'show what an engine sent for an answer of the last 30 days', {
    parameters: {
      answer: argument('<answer>', 'its id', readAnswerId),
      brand,
    },
    text: ({ tries }) =>
      tries.length === 0
        ? 'No raw response is kept for this answer.'
        : tries.flatMap(({ bodies }) => bodies).join('\n'),
  }),
])

function priceText({ engine, answers, left_out, estimate_micros, at_most_micros }: Plan): string {
  const rest = left_out === 0 ? '' : ` ${countOf(left_out, 'answer')} may not be sent to another provider.`
  if (answers === 0) return `Every mention that may be classified has been classified.${rest}`
  const open = `${countOf(answers, 'answer')} with unclassified mentions.${rest}`
  if (engine === null) return asTypedHere(`${open} No engine is chosen. Choose one: spoor engine sentiment ENGINE`)
  return `${open} Sending them to ${engine} costs about ${dollars(estimate_micros)}, and at most ${dollars(at_most_micros)}.`
}

function classificationText({ state, code, asked, classified, spent_micros, started_at }: NonNullable<Plan['last']>) {
  const done = `${countOf(asked, 'answer')} asked about, ${formatCount(classified)} classified, ${dollars(spent_micros)}`
  return `Last: ${state}${code === null ? '' : ` (${code})`} since ${started_at}: ${done}`
}

function formatOf(file: string): AnswerFormat {
  const ending = extname(file).slice(1).toLowerCase()
  const format = ending === 'jsonl' ? 'ndjson' : ANSWER_FORMATS.find((each) => each === ending)
  if (format !== undefined) return format
  throw new BadUsage(`the format of ${file} cannot be seen from its name: add --format json, ndjson or csv`)
}

function receiptText(receipt: Receipt): string {
  const { records, stored, replaced, duplicates, refused } = receipt
  const created = receipt.questions_created_active + receipt.questions_created_archived
  return lines(
    `${countOf(records, 'record')}: ${formatCount(stored)} stored, ${formatCount(replaced)} replaced, ${formatCount(duplicates)} stored before, ${formatCount(refused.length)} refused`,
    created === 0
      ? null
      : `Questions created: ${formatCount(receipt.questions_created_active)} active, ${formatCount(receipt.questions_created_archived)} archived`,
    receipt.tags_left_out === 0
      ? null
      : `Tags left out: ${formatCount(receipt.tags_left_out)}. A question keeps its first ${MAX_TAGS} tags.`,
    refusedText(refused),
    refused.some(({ code }) => code === 'unknown_question')
      ? 'To create the questions that the brand does not have, repeat the import with --create-questions.'
      : null,
  )
}

function readAnswerId(text: string): string {
  if (isId(text)) return text
  throw new BadUsage(
    `${quoted(text)} is not the id of an answer: give one that the page of answers or the account API shows`,
  )
}
