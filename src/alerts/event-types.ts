/** The types of alerts that a receiver takes (rules 8.6). */
import { ALERT_EVENT_TYPES, type AlertEventType } from '#contract/vocabulary.ts'
import { Refusal } from '#refusal.ts'

/** Whether alerts of a type are gathered and may become a digest. */
export const isIssueAlert = (type: string): boolean => type.startsWith('issue.') && type !== 'issue.digest'

/** @throws Refusal invalid_input: digests without a type that they could replace. */
export function refuseDigestsAlone(types: readonly AlertEventType[]): void {
  if (!types.includes('issue.digest') || types.some(isIssueAlert)) return
  throw new Refusal(
    'invalid_input',
    'issue.digest replaces more than 5 waiting alerts of another type of issues, so it needs such a type: add one, such as issue.opened.',
  )
}

/** The event types of a new receiver; by default all. @throws Refusal invalid_input. */
export function eventTypesText(types: readonly AlertEventType[] | undefined): string {
  if (types === undefined || types.length === 0) return JSON.stringify(ALERT_EVENT_TYPES)
  refuseDigestsAlone(types)
  return JSON.stringify(ALERT_EVENT_TYPES.filter((type) => types.includes(type)))
}

/** The stored event types of a receiver. */
export const readEventTypes = (json: string): string[] => JSON.parse(json)
