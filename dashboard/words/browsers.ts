import { shortText } from './foreign-text.ts'

/** Browsers and systems by their tokens in the user agent. The first match counts. */
const PROGRAMS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox on Linux"; an unknown browser is shown by its own name. */
export function browserWords(user_agent: string | null): string {
  if (user_agent === null) return 'Unknown browser'
  const program = PROGRAMS.find(([sign]) => user_agent.includes(sign))?.[1]
  const system = SYSTEMS.find(([sign]) => user_agent.includes(sign))?.[1]
  if (program === undefined) return shortText(user_agent, 60)
  return system === undefined ? program : `${program} on ${system}`
}
