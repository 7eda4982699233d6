/** Checks the servers in settings against those of an interrupted move. */
import { Refusal } from '#refusal.ts'
import type { MoveState } from './move-state.ts'
import type { TargetSettings } from './target.ts'

/** The refusal of a move of the evidence without the control store. */
export const needsDatabase = () =>
  new Refusal(
    'invalid_input',
    'evidence on servers needs the control store in PostgreSQL: set SPOOR_DATABASE_URL as well',
  )

/** @throws Refusal invalid_input: the settings lack a store that the move has copied to. */
export function checkNamed(
  { database_url, clickhouse }: TargetSettings,
  { moves_evidence, moves_control, to_evidence, to_control }: MoveState,
): void {
  if (moves_evidence && clickhouse === null) {
    throw new Refusal('invalid_input', `set SPOOR_CLICKHOUSE_URL as before: the evidence moves to ${to_evidence}`)
  }
  if (moves_control && database_url === null) {
    throw new Refusal('invalid_input', `set SPOOR_DATABASE_URL as before: the control store moves to ${to_control}`)
  }
  if (database_url === null) throw needsDatabase()
}

/** Servers without users and passwords, for messages and reports. */
export const namesOf = (urls: readonly string[]): string =>
  urls
    .map((text) => {
      const { protocol, host, pathname } = new URL(text)
      return `${protocol}//${host}${pathname.replace(/\/$/, '')}`
    })
    .join(', ')
