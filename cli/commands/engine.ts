import { Argument, InvalidArgumentError } from 'commander'
import { readBaseUrl, readModel } from '#brands/engines/read-settings.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { API_ENGINES, type ApiEngine, ENGINES, type Engine } from '#contract/vocabulary.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { judgedBy } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { wholeNumberBetween } from '../input/argument-values.ts'
import { askSecret, confirm } from '../input/ask.ts'
import { readWhole } from '../input/input-files.ts'
import { flag, mapped, optional, positional } from '../input/parameters.ts'
import { lines, tableOr } from '../output.ts'

type EngineState = ManagementOutput<'engine.disable'>

const engine = positional<ApiEngine>(new Argument('<engine>', 'which engine').choices(API_ENGINES))
const keyFile = optional(
  '--key-file <file>',
  'file that holds the API key, - for standard input; without it you are asked. Never give a key as an argument: other users can see it',
)

export const engineCommands = group('engine', 'answer engines that are asked with your keys', [
  operation('engine.list', 'list the engines, their settings and what they used this month', {
    text: ({ engines, sentiment_engine }) =>
      lines(
        tableOr('', engines, {
          ENGINE: 'engine',
          STATE: stateOf,
          MODEL: 'model',
          CALLS: ({ month }) => `${formatCount(month.calls)} of ${formatCount(month.budget_calls)}`,
          SPENT: ({ month }) => `${dollars(month.spent_micros)} of ${dollars(month.budget_micros)}`,
          'A CALL': ({ month }) => `about ${dollars(month.estimate_micros)}`,
        }),
        `Sentiment is judged by ${sentiment_engine ?? 'no engine'}.`,
      ),
  }),
  operation('engine.set_key', 'give an engine a key, and switch it on', {
    parameters: { engine, api_key: mapped(keyFile, readKey) },
    text: engineText,
  }),
  command('accept-terms', 'accept the terms of a provider that may forbid storing and analysing its answers', {
    parameters: { engine, yes: flag('--yes', 'do not ask') },
    async run({ engine: named, yes }, { run, json }) {
      if (!yes) await confirm(json, TERMS)
      return run('engine.accept_terms', { engine: named })
    },
    text: engineText,
  }),
  operation('engine.enable', 'ask an engine again', { parameters: { engine }, text: engineText }),
  operation('engine.disable', 'stop asking an engine; its key stays', { parameters: { engine }, text: engineText }),
  operation('engine.configure', 'change how an engine is asked; what you leave out does not change', {
    parameters: {
      engine,
      model: optional('--model <name>', 'as the provider lists it', judgedBy(readModel)),
      base_url: optional('--base-url <url>', 'address of its API, for your own gateway', judgedBy(readBaseUrl)),
      max_output_tokens: optional(
        '--max-output-tokens <count>',
        'longest answer, 16 to 20000 tokens',
        wholeNumberBetween(16, 20_000),
      ),
      at_once: optional('--at-once <count>', 'calls at the same time, 1 to 10', wholeNumberBetween(1, 10)),
      input_price_micros: optional('--input-price <dollars>', 'US dollars per million input tokens', readPrice),
      output_price_micros: optional('--output-price <dollars>', 'US dollars per million output tokens', readPrice),
      search_price_micros: optional('--search-price <dollars>', 'US dollars per thousand searches', readPrice),
    },
    text: engineText,
  }),
  operation(
    'engine.budget',
    'set what an engine may use in a calendar month (UTC); what you leave out does not change',
    {
      parameters: {
        engine,
        calls: optional(
          '--calls <count>',
          'calls a month, retries and tests included',
          wholeNumberBetween(0, 1_000_000),
        ),
        micros: optional('--dollars <amount>', 'US dollars a month, such as 25 or 7.50', readMicros),
      },
      text: engineText,
    },
  ),
  operation('engine.test', 'ask an engine one short question without a search; it counts against the budget', {
    parameters: { engine },
    text: ({ engine: tested, state, model, cost_micros }) =>
      `${tested} ${state === 'answered' ? `answered (${model ?? 'model not named'})` : state}: ${dollars(cost_micros)}`,
    failure: ({ engine: tested, code, message }) =>
      code === null ? null : new Refusal('unreachable', `${tested} gave no answer (${code}): ${message}`),
  }),
  operation(
    'engine.remove',
    'delete the key and settings of an engine, and take it out of the plan; its answers stay',
    {
      parameters: { engine: positional<Engine>(new Argument('<engine>', 'which engine').choices(ENGINES)) },
      text: ({ engine: removed }) => `${removed} is no longer in the plan, and its key is deleted`,
    },
  ),
  command('sentiment', 'choose the engine that judges how answers speak of brands', {
    parameters: {
      engine: positional<ApiEngine | 'none'>(
        new Argument('<engine>', 'which engine, or none').choices([...API_ENGINES, 'none']),
      ),
      yes: flag('--yes', 'do not ask'),
    },
    async run({ engine: named, yes }, { run, json }) {
      if (named === 'none') return run('engine.sentiment', { engine: null, accepts_sending: false })
      if (!yes) await confirm(json, sendingText(named))
      return run('engine.sentiment', { engine: named, accepts_sending: true })
    },
    text: ({ engine: chosen }) => `Sentiment is judged by ${chosen ?? 'no engine'}`,
  }),
])

const sendingText = (engine: ApiEngine) =>
  `The whole text of each answer that names a brand or competitor is sent to ${engine}, one call for each, except answers of gemini and of engines that are only imported.`

const TERMS =
  'The Gemini API Additional Terms restrict storing, analysing and showing answers with Google Search to others than the person who asked. Read them, and accept only if your contract allows what Spoor does.'

/** From a file, standard input or the terminal, so that no process list or shell history contains it. */
async function readKey(file: string | undefined): Promise<string> {
  const text =
    file === undefined
      ? await askSecret('API key of the engine (nothing is shown): ', NO_TERMINAL)
      : (await readWhole(file)).toString('utf8')
  return text.trim()
}

const NO_TERMINAL = 'this is not an interactive terminal: give the key with --key-file FILE, or - for standard input'

/** Dollars with up to six decimals as millionths, without floating-point rounding. */
function readMicros(text: string): number {
  const [, whole, part = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === undefined) throw new InvalidArgumentError('Give US dollars, such as 25 or 7.50.')
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'))
}

const MAX_PRICE_DOLLARS = 10_000

function readPrice(text: string): number {
  const micros = readMicros(text)
  if (micros <= MAX_PRICE_DOLLARS * 1_000_000) return micros
  throw new InvalidArgumentError(`Give at most ${MAX_PRICE_DOLLARS} US dollars.`)
}

/** At least two decimals. */
export const dollars = (micros: number): string => {
  const [whole, part = ''] = (micros / 1_000_000).toFixed(6).split('.')
  return `$${whole}.${part.slice(0, 2)}${part.slice(2).replace(/0+$/, '')}`
}

function stateOf({ obstacle, fault, paused_until, month }: EngineState): string {
  if (obstacle !== null) return obstacle === 'terms' ? 'terms not accepted' : obstacle.replace('_', ' ')
  if (fault !== null) return fault
  if (!month.has_room) return 'budget used'
  return paused_until === null ? 'on' : `waits until ${paused_until}`
}

function engineText(state: EngineState): string {
  const { month, prices } = state
  return lines(
    `${state.engine} (${state.provider}): ${stateOf(state)}`,
    `model    ${state.model}, at most ${formatCount(state.max_output_tokens)} output tokens`,
    `address  ${state.base_url}, ${formatCount(state.at_once)} calls at once`,
    `budget   ${formatCount(month.calls)} of ${formatCount(month.budget_calls)} calls, ${dollars(month.spent_micros)} of ${dollars(month.budget_micros)} in ${month.month}`,
    `prices   ${dollars(prices.input_price_micros)} in, ${dollars(prices.output_price_micros)} out per million tokens, ${dollars(prices.search_price_micros)} per thousand searches`,
    month.has_room
      ? null
      : `The budget has no room for a call: ${dollars(month.reserve_micros)} are set aside for each call until its cost is known.`,
  )
}
