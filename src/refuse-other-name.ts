import { quoted } from './foreign-text.ts'
import { Refusal } from './refusal.ts'

/**
 * What a person deletes must be what they named by typing. Left out, nothing is compared: the command line asks by
 * itself, and the dashboard's API demands a name before.
 * @throws Refusal conflict.
 */
export function refuseOtherName(name: string, typed_name: string | undefined): void {
  if (typed_name === undefined || typed_name.trim() === name) return
  throw new Refusal(
    'conflict',
    `${quoted(typed_name)} is not the name of what would be deleted: type ${quoted(name)}. Nothing was deleted.`,
  )
}
