import type { AlertEventType } from '../../src/contract/vocabulary.ts'
import type { ReadOutput } from '../read/operations.ts'

type Delivery = ReadOutput<'alert.delivery_list'>['deliveries'][number]
type Receiver = ReadOutput<'alert.list'>['receivers'][number]

export const ALERT_WORDS: Record<AlertEventType, string> = {
  'issue.opened': 'An issue opened',
  'issue.regressed': 'An issue came back',
  'issue.fix_detected': 'A fix was detected',
  'issue.fix_confirmed': 'A fix was confirmed',
  'issue.withdrawn': 'An issue was withdrawn',
  'issue.digest': 'Many issues in one message',
  'source.silent': 'A source is silent',
  'source.error': 'A source is failing',
  'source.recovered': 'A source is back',
  'tracker.no_signal': 'The tracker sends nothing',
  'tracker.recovered': 'The tracker is back',
}

/** The type of a delivery: an event, or a trial. */
export const alertWords = (type: string): string =>
  type === 'alert.test' ? 'A test alert' : (ALERT_WORDS[type as AlertEventType] ?? type)

export const DELIVERY_WORDS: Record<Delivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  in_digest: 'In a digest',
  dropped: 'Dropped',
}

export const RECEIVER_WORDS: Record<Receiver['state'], string> = {
  unconfirmed: 'Waiting for the recipient to confirm',
  active: 'Active',
  off: 'Off',
}

export const OFF_WORDS: Record<NonNullable<Receiver['off_reason']>, string> = {
  gone: 'it answered 410 (gone)',
  failing: 'it failed for too long',
  unsubscribed: 'the recipient unsubscribed',
}
