import { InvalidArgumentError, Option } from 'commander'
import { refuseDigestsAlone } from '#alerts/event-types.ts'
import { readWebhookUrl } from '#alerts/webhook-url.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { ALERT_EVENT_TYPES, type AlertEventType } from '#contract/vocabulary.ts'
import { Refusal } from '#refusal.ts'
import { BadUsage, judgedBy } from '../bad-usage.ts'
import { group, operation } from '../command.ts'
import { wholeNumber } from '../input/argument-values.ts'
import { readWhole } from '../input/input-files.ts'
import { argument, mapped, option, optional, repeatable, together } from '../input/parameters.ts'
import { readEmail } from '../input/value-forms.ts'
import { lines, tableOr } from '../output.ts'
import { secretOperation } from '../secret.ts'
import { siteArgument as site } from './site.ts'

const receiver = argument('<receiver>', 'its id, e-mail address, or the origin of its URL (spoor alert list)')
const webhook = optional(
  '--webhook <url>',
  'POST signed JSON to this URL (Standard Webhooks)',
  judgedBy((text) => {
    readWebhookUrl(text)
    return text
  }),
)
const webhookFile = optional(
  '--webhook-file <file>',
  'file that holds the URL, - for standard input; use it for a URL with a token, because other users can see arguments',
)
const eventTypes = repeatable(
  '--event <type>',
  'send only alerts of this type; repeatable (default: all types)',
  readEventType,
)

const newReceiver = mapped(
  together({
    site,
    webhook,
    webhook_file: webhookFile,
    email: optional('--email <address>', 'send e-mail to this address once the recipient confirms', readEmail),
    event_types: eventTypes,
  }),
  async ({ webhook: url, webhook_file, email, ...input }) => {
    const given = [url, webhook_file, email].filter((each) => each !== undefined)
    if (given.length !== 1) {
      throw new BadUsage(
        'a receiver is a webhook or an e-mail address: give one of --webhook, --webhook-file and --email',
      )
    }
    judgedBy(() => refuseDigestsAlone(input.event_types))('')
    if (email !== undefined) return { ...input, email }
    return { ...input, webhook: webhook_file === undefined ? String(url) : await readUrl(webhook_file) }
  },
)

export const alertCommands = group('alert', 'choose who is alerted when issues, sources and trackers change', [
  secretOperation('alert.add', 'add a webhook, whose secret is shown only once, or an e-mail address', {
    parameters: newReceiver,
    what: 'receiver',
    secret_name: 'signing secret',
    secretOf: ({ secret }) => secret,
    isSecret: ({ webhook }) => webhook !== undefined,
    notes: ({ id, target }) => [
      `Added ${target} (${id}). The signing secret above is shown only now: the receiver verifies alerts with it.`,
    ],
    text: ({ id, kind, target }, file) =>
      kind === 'email'
        ? `Sent a confirmation e-mail to ${target} (${id}); alerts are sent once the recipient confirms.`
        : `Added ${target} (${id}); its signing secret is in ${file}`,
    takeBack: ({ id }, { site }, run) =>
      run('alert.remove', { site, receiver: id }).then(
        () => 'the receiver was removed. Add it again when its secret can be written',
        () => `removing the receiver failed as well; remove it: spoor alert remove ${site} ${id}`,
      ),
  }),
  operation('alert.list', 'list the receivers of a site', {
    parameters: { site },
    text: ({ receivers }) =>
      tableOr('No receivers yet. Add one: spoor alert add SITE --webhook URL', receivers, {
        KIND: 'kind',
        RECEIVER: 'target',
        STATE: ({ state, off_reason, state_since }) =>
          off_reason === null ? state : `${state} since ${state_since} (${off_reason})`,
        'LAST SUCCESS': ['last_success_at', 'never'],
        'FAILING SINCE': ['failing_since', 'no'],
        TYPES: ({ event_types }) => (event_types.length === ALERT_EVENT_TYPES.length ? 'all' : event_types.join(' ')),
        ID: 'id',
      }),
  }),
  operation('alert.test', 'send a test alert now; a receiver that accepts it is switched on again', {
    parameters: { site, receiver },
    text: trialText,
    failure: (trial) =>
      trial.is_delivered ? null : new Refusal('unreachable', `The test alert was not delivered: ${faultOf(trial)}.`),
  }),
  secretOperation('alert.rotate', 'give a webhook a new secret; the old one also signs for 24 hours', {
    parameters: { site, receiver },
    what: 'signing secret',
    secretOf: ({ secret }) => secret,
    notes: ({ target, previous_secret_until }) => [
      `New signing secret of ${target}, shown only now. The previous one also signs until ${previous_secret_until}.`,
    ],
    text: ({ target, previous_secret_until }, file) =>
      `The new signing secret of ${target} is in ${file}; the previous one also signs until ${previous_secret_until}`,
    takeBack: async ({ id }, { site }) =>
      `the old secret signs for another 24 hours. Make another one when it can be written: spoor alert rotate ${site} ${id}`,
  }),
  operation('alert.remove', 'remove a receiver; nothing more is sent to it', {
    parameters: { site, receiver },
    text: ({ target }) => `Removed ${target}`,
  }),
  group('delivery', 'deliveries of alerts and their results', [
    operation('alert.delivery_list', 'list the deliveries of the last 30 days, the newest first', {
      parameters: {
        site,
        receiver: optional('--receiver <receiver>', 'of this receiver only'),
        limit: option<number>(
          new Option('--limit <count>', 'most deliveries to list, 1 to 1000')
            .argParser(wholeNumber(/^([1-9]\d{0,2}|1000)$/, 'Give a whole number from 1 to 1000.'))
            .default(50),
        ),
      },
      text: ({ deliveries }) =>
        tableOr('No deliveries in the last 30 days.', deliveries, {
          TIME: 'occurred_at',
          TYPE: 'type',
          RECEIVER: 'target',
          STATE: 'state',
          ATTEMPTS: ({ attempts }) => String(attempts),
          RESULT: (delivery) => faultOf(delivery),
          NEXT: ['next_attempt_at', ''],
          ALERT: 'alert_id',
        }),
    }),
  ]),
])

async function readUrl(file: string): Promise<string> {
  return (await readWhole(file)).toString('utf8').trim()
}

function readEventType(text: string): AlertEventType {
  const found = ALERT_EVENT_TYPES.find((type) => type === text)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`Give one of ${ALERT_EVENT_TYPES.join(', ')}.`)
}

type Trial = ManagementOutput<'alert.test'>

function trialText(trial: Trial): string {
  const { target, state, is_delivered, status } = trial
  return is_delivered
    ? lines(`${target} accepted the test alert (${status}).`, state === 'active' ? null : `Its state is ${state}.`)
    : `${target} did not accept the test alert.`
}

const faultOf = ({ status, error_code }: Pick<Trial, 'status' | 'error_code'>): string =>
  error_code ?? (status === null ? '' : String(status))
