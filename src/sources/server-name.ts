import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

const SERVER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/**
 * Checks the name of a server with uploaded logs. @param option the option that gave it. @throws Refusal invalid_input.
 */
export function checkServerName(server: string, option: '--server' | '--into'): void {
  if (SERVER_NAME.test(server)) return
  throw new Refusal(
    'invalid_input',
    `${option} ${quoted(server)} is not a server's name: give 1 to 63 letters, digits, dots, hyphens and underscores that begin with a letter or digit`,
  )
}
