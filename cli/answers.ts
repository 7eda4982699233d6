import { extname } from 'node:path'
import { Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import {
  ANSWER_EXPORTERS,
  ANSWER_FORMATS,
  type AnswerExporter,
  type AnswerFormat,
  QUESTION_CREATIONS,
  type QuestionCreation,
} from '#contract/vocabulary.ts'
import { countOf } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { command, group, operation } from './command.ts'
import { readWholeText } from './input-files.ts'
import { lines, tableOr } from './output.ts'
import { argument, flag, option, required } from './parameters.ts'

type Receipt = ManagementOutput<'answers.import'>

const MAX_SHOWN = 20

const importParameters = {
  file: argument('<file>', 'JSON, NDJSON or CSV file, or - for standard input'),
  brand: required('--brand <brand>', 'id or name of the brand'),
  format: option<AnswerFormat | undefined>(
    new Option('--format <format>', 'form of the file (default: by its name)').choices(ANSWER_FORMATS),
  ),
  exporter: option<AnswerExporter | undefined>(
    new Option('--from <tool>', 'the tool that exported it (default: our own form)').choices(ANSWER_EXPORTERS),
  ),
  replaces: flag('--replace', 'answers that say something else than before take the place of the stored ones'),
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
      const document = await readWholeText(file)
      const of_tool = exporter === undefined ? {} : { exporter }
      const form = format ?? formatOf(file)
      return run('answers.import', { brand, format: form, ...of_tool, replaces, create_questions, document })
    },
    text: receiptText,
  }),
  operation('answers.payload', 'show what an engine sent for an answer of the last 30 days', {
    parameters: {
      answer: argument('<answer>', 'its id'),
      brand: required('--brand <brand>', 'id or name of the brand'),
    },
    text: ({ tries }) =>
      tries.length === 0 ? 'Nothing is kept of this answer.' : tries.flatMap(({ bodies }) => bodies).join('\n'),
  }),
])

function formatOf(file: string): AnswerFormat {
  const ending = extname(file).slice(1).toLowerCase()
  const format = ending === 'jsonl' ? 'ndjson' : ANSWER_FORMATS.find((each) => each === ending)
  if (format !== undefined) return format
  throw new Refusal('invalid_input', `the name ${file} does not say its format: add --format json, ndjson or csv`)
}

function receiptText(receipt: Receipt): string {
  const { records, stored, replaced, duplicates, refused } = receipt
  const created = receipt.questions_created_active + receipt.questions_created_archived
  return lines(
    `${countOf(records, 'record')}: ${stored} stored, ${replaced} replaced, ${duplicates} known, ${refused.length} refused`,
    created === 0
      ? null
      : `Questions created: ${receipt.questions_created_active} active, ${receipt.questions_created_archived} archived`,
    refused.length === 0
      ? null
      : tableOr('', refused.slice(0, MAX_SHOWN), {
          PLACE: ({ place }) => String(place),
          CODE: 'code',
          REASON: 'message',
        }),
    refused.length > MAX_SHOWN ? `${refused.length - MAX_SHOWN} more refused; --json shows them` : null,
  )
}
