import { Argument, InvalidArgumentError, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { API_ENGINES, type ApiEngine } from '#contract/vocabulary.ts'
import { countOf, formatCount } from '#quantities.ts'
import { group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { wholeNumber } from '../input/argument-values.ts'
import { mapped, option, optional, positional, repeatable, required } from '../input/parameters.ts'
import { lines, tableOr } from '../output.ts'
import { dollars } from './engine.ts'

type Scan = ManagementOutput<'scan.list'>['scans'][number]
type Schedule = ManagementOutput<'scan.schedule'>

const brand = required('--brand <brand>', 'id or name of the brand')
const readRuns = wholeNumber(/^([1-9]|10)$/, 'Give a whole number from 1 to 10.')
const ABOUT_RUNS = 'how often each question is asked of each engine, 1 to 10'

export const scanCommands = group('scan', 'asking engines the questions of a brand', [
  operation('scan.start', 'ask the active questions of a brand now', {
    parameters: {
      brand,
      runs: option<number>(new Option('--runs <count>', ABOUT_RUNS).argParser(readRuns).default(1)),
      engines: mapped(repeatable('--engine <engine>', 'only this engine; repeatable', readEngine), (given) =>
        given.length === 0 ? undefined : given,
      ),
    },
    text: ({ estimate_micros, ...scan }) =>
      lines(
        `Scan ${scan.id}: ${countOf(
          scan.engines.reduce((sum, each) => sum + each.waiting, 0),
          'call',
        )}, about ${dollars(estimate_micros)}`,
        enginesText(scan),
      ),
  }),
  operation('scan.list', 'list the scans of a brand with their results, and when the next one is due', {
    parameters: {
      brand,
      limit: option<number>(
        new Option('--limit <count>', 'most scans to list, 1 to 400')
          .argParser(wholeNumber(/^([1-9]\d?|[1-3]\d\d|400)$/, 'Give a whole number from 1 to 400.'))
          .default(10),
      ),
    },
    text: ({ schedule, scans }) =>
      lines(
        scheduleText(schedule),
        tableOr(
          'No scan yet.',
          scans.flatMap((scan) => scan.engines.map((of) => ({ scan, of }))),
          {
            STARTED: ({ scan }) => scan.started_at.slice(0, 16),
            STATE: ({ scan }) => scan.state,
            ENGINE: ({ of }) => of.engine,
            ANSWERED: ({ of }) => formatCount(of.answered),
            REFUSED: ({ of }) => formatCount(of.refused),
            FAILED: ({ of }) => formatCount(of.failed),
            'NOT ASKED': ({ of }) => formatCount(of.not_run),
            WAITING: ({ of }) => formatCount(of.waiting + of.asking),
            WHY: ({ of }) => of.codes.map(({ code, runs }) => `${code} ${formatCount(runs)}`).join(', '),
          },
        ),
      ),
  }),
  operation('scan.cancel', 'stop the running scans of a brand; calls already running finish by themselves', {
    parameters: { brand },
    text: ({ cancelled }) =>
      cancelled.length === 0 ? 'No scan is running.' : `Stopped ${countOf(cancelled.length, 'scan')}`,
  }),
  operation(
    'scan.schedule',
    'set when the questions of a brand are asked each day; what you leave out does not change',
    {
      parameters: {
        brand,
        hour: optional('--hour <hour>', 'hour of the day in UTC, 0 to 23; none: no daily scan', readHour),
        runs: optional('--runs <count>', ABOUT_RUNS, readRuns),
        is_paused: mapped(
          positional<'pause' | 'resume' | undefined>(
            new Argument('[action]', 'pause daily scans, or resume them').choices(['pause', 'resume']),
          ),
          (action) => (action === undefined ? undefined : action === 'pause'),
        ),
      },
      text: scheduleText,
    },
  ),
])

function readEngine(text: string): ApiEngine {
  const found = API_ENGINES.find((each) => each === text)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`Give one of ${API_ENGINES.join(', ')}.`)
}

function readHour(text: string): number | null {
  if (text === 'none') return null
  if (/^(\d|1\d|2[0-3])$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give an hour from 0 to 23, or none.')
}

function scheduleText({ hour, runs, is_paused, next_at }: Schedule): string {
  if (hour === null) return asTypedHere('No daily scan. To have one: spoor scan schedule --brand BRAND --hour 6')
  const each = `each question ${runs === 1 ? 'once' : `${runs} times`} of each engine`
  if (is_paused) return `Daily scans are paused (hour ${hour} UTC, ${each}).`
  return `Daily within hour ${hour} UTC, ${each}; next at ${next_at}`
}

const enginesText = ({ engines }: Scan) =>
  lines(...engines.map(({ engine, waiting }) => `${engine}  ${countOf(waiting, 'question')}`))
