/** `search-data`: what search engines report about the pages of a brand. */

import { Option } from 'commander'
import { checkProperty, checkPropertyOf } from '#brands/search-data/property-names.ts'
import { QUERY_DIMENSIONS, unknownDimensions } from '#brands/search-data/query-dimensions.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import {
  AI_REPORT_SOURCES,
  type AiReportSource,
  BING_METHODS,
  type BingMethod,
  SEARCH_SOURCES,
  type SearchSource,
} from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { countOf, formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { BadUsage, judgedBy } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { askSecret } from '../input/ask.ts'
import { readWhole, readWholeText } from '../input/input-files.ts'
import { argument, mapped, option, optional, required, together } from '../input/parameters.ts'
import { readUtcDay, readWebUrl } from '../input/value-forms.ts'
import { lines, tableOr } from '../output.ts'
import { refusedText } from './refused-records.ts'

const checkPropertyGiven = judgedBy(checkPropertyOf)

const brand = required('--brand <brand>', 'id or name of the brand')
const NAMED_PROPERTY = ['--property <name>', 'sc-domain:example.com, or https://www.example.com/'] as const
const property = optional(
  ...NAMED_PROPERTY,
  judgedBy((text) => {
    checkProperty(text)
    return text
  }),
)
const source = option<SearchSource>(
  new Option('--source <source>', 'the search engine').choices(SEARCH_SOURCES).makeOptionMandatory(),
)

const importParameters = {
  file: argument('<file>', 'JSON, NDJSON or CSV file, or - for standard input'),
  brand,
  property,
  from: optional('--from <day>', 'first day of an export that has no days', readUtcDay),
  to: optional('--to <day>', 'its last day', readUtcDay),
  ai_source: option<AiReportSource | undefined>(
    new Option('--ai-source <source>', 'the provider of a report about AI answers').choices(AI_REPORT_SOURCES),
  ),
  dimensions: mapped(
    optional('--dimensions <list>', 'dimensions of a Search Console API response, in its order: date,page,query'),
    (text) => {
      const given = text?.split(',').map((each) => each.trim())
      const [unknown] = unknownDimensions(given ?? [])
      if (unknown === undefined) return given
      throw new BadUsage(`${quoted(unknown)} is not a dimension: give one or more of ${QUERY_DIMENSIONS.join(', ')}`)
    },
  ),
  method: option<BingMethod | undefined>(
    new Option('--method <method>', 'the Bing API method that returned the file').choices(BING_METHODS),
  ),
  page: optional('--page <url>', 'the page that Bing’s queries belong to', readWebUrl),
}

export const searchDataCommands = group('search-data', 'what search engines report about the pages of a brand', [
  command('import', 'import search data; the same file again changes nothing', {
    parameters: importParameters,
    async run({ file, brand, property, from, to, ai_source, dimensions, method, page }, { run }) {
      if (from !== undefined && to !== undefined && from > to) {
        throw new BadUsage(`the first day ${from} comes after the last day ${to}: swap them`)
      }
      const document = await readWholeText(file)
      const given = { property, from, to, ai_source, dimensions, method, page }
      return run('search_data.import', { brand, document, ...withoutUndefined(given) })
    },
    text: receiptText,
  }),
  operation('search_data.connect', 'read search data of a property daily', {
    parameters: mapped(
      together({
        brand,
        source,
        property: required(...NAMED_PROPERTY),
        key_file: optional(
          '--key-file <file>',
          'file that holds the JSON key of a service account (google) or the API key (bing), - for standard input; without it you are asked',
        ),
      }),
      async ({ key_file, ...given }) => {
        checkPropertyGiven(given)
        return { ...given, key: await readKey(key_file) }
      },
    ),
    text: ({ source, property }) =>
      lines(`Connected ${property} of ${source}`, 'A running service now reads its days, the newest first.'),
  }),
  operation('search_data.disconnect', 'stop reading search data, and delete the key; stored data is kept', {
    parameters: { brand, source, property },
    text: ({ source, property }) => `Disconnected ${property} of ${source}`,
  }),
  operation('search_data.list', 'list connections, and the days for which search data is stored', {
    parameters: { brand },
    text: listText,
  }),
])

function receiptText(receipt: ManagementOutput<'search_data.import'>): string {
  const { records, stored, replaced, duplicates, refused, from, to } = receipt
  return lines(
    `${countOf(records, 'record')}: ${formatCount(stored)} stored, ${formatCount(replaced)} replaced, ${formatCount(duplicates)} stored before, ${formatCount(refused.length)} refused`,
    from === null ? null : `Days: ${from} to ${to}`,
    refusedText(refused),
  )
}

function listText({ connections, stored }: ManagementOutput<'search_data.list'>): string {
  return lines(
    tableOr('No connections.', connections, {
      SOURCE: 'source',
      PROPERTY: 'property',
      STATE: 'state',
      ERROR: ['error_code', '-'],
      'READ FROM': ['read_from', '-'],
      'LAST POLL': ['last_poll_at', 'never'],
    }),
    '',
    tableOr('No days of clicks and impressions are stored. Reports about AI answers are not listed.', stored, {
      SOURCE: 'source',
      PROPERTY: 'property',
      'ROWS BY': (row) => row.grouping || 'totals',
      FROM: 'from',
      TO: 'to',
      DAYS: (row) => String(row.days),
    }),
  )
}

/** Reads a key from a file, standard input or the terminal, so that no process list or shell history contains it. */
async function readKey(file: string | undefined): Promise<string> {
  const text =
    file === undefined
      ? await askSecret('Key (nothing is shown): ', NO_TERMINAL)
      : (await readWhole(file)).toString('utf8')
  if (text.trim() !== '') return text.trim()
  throw new Refusal('invalid_input', 'no key was given: name a file that holds it with --key-file')
}

const NO_TERMINAL = 'this is not an interactive terminal: give the key with --key-file FILE, or - for standard input'

function withoutUndefined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
