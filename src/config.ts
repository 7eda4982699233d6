/** The only reader of the environment. Everything it may hold is declared here, and docs/configuration.md is generated from it. */
import { Refusal } from '#refusal.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/** Every variable with its default; a text has a pattern, a number its bounds, a choice its values. */
export const VARIABLES = {
  SPOOR_DATA: {
    default: './data',
    pattern: /^.+$/,
    description: 'Folder of the embedded stores; `--data` overrides it.',
  },
  SPOOR_DATABASE_URL: {
    default: '',
    pattern: /^postgres(ql)?:\/\/\S+$/,
    secret: true,
    description:
      'PostgreSQL database of the control store, `postgres://user:password@host:5432/database`; without it, SQLite in the data folder. A secret: never logged.',
  },
  SPOOR_HOST: {
    default: '127.0.0.1',
    pattern: /^\S+$/,
    description: 'Address that `spoor serve` listens on; `--host` overrides it.',
  },
  SPOOR_PORT: {
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'Port that `spoor serve` listens on, 0 for any free one; `--port` overrides it.',
  },
  SPOOR_LOG_LEVEL: {
    default: 'info',
    choices: LOG_LEVELS,
    description: 'How much the service logs to standard error.',
  },
  SPOOR_SUPPORT_EMAIL: {
    default: '',
    pattern: /^[^@\s]+@[^@\s]+$/,
    description: 'Contact address in the OpenAPI document; empty for none.',
  },
  SPOOR_EVIDENCE_MEMORY_MB: {
    default: 0,
    minimum: 0,
    maximum: 16_777_216,
    description: 'Most memory the evidence store may use, in MiB; 0 takes 40 % of the machine or container.',
  },
} as const

export interface Config {
  readonly data: string
  /** Holds a password: never logged, never in a message. */
  readonly database_url: string | null
  readonly host: string
  readonly port: number
  readonly log_level: (typeof LOG_LEVELS)[number]
  readonly support_email: string | null
  readonly evidence_memory_mb: number
}

/** Reads the configuration; a value out of its bounds is a Refusal(invalid_input) that names the variable. */
export function readConfig(environment: Environment = process.env): Config {
  const database_url = readText(environment, 'SPOOR_DATABASE_URL')
  const email = readText(environment, 'SPOOR_SUPPORT_EMAIL')
  return Object.freeze({
    data: readText(environment, 'SPOOR_DATA'),
    database_url: database_url === '' ? null : database_url,
    host: readText(environment, 'SPOOR_HOST'),
    port: readNumber(environment, 'SPOOR_PORT'),
    log_level: readChoice(environment, 'SPOOR_LOG_LEVEL'),
    support_email: email === '' ? null : email,
    evidence_memory_mb: readNumber(environment, 'SPOOR_EVIDENCE_MEMORY_MB'),
  })
}

type Environment = Readonly<Record<string, string | undefined>>
type Variables = typeof VARIABLES
type Declared<Has> = { [Name in keyof Variables]: Variables[Name] extends Has ? Name : never }[keyof Variables]

function readText(environment: Environment, name: Declared<{ pattern: RegExp }>): string {
  const given = environment[name]
  if (given === undefined || given === '') return VARIABLES[name].default
  if (!VARIABLES[name].pattern.test(given)) {
    const shown = 'secret' in VARIABLES[name] ? '(not shown)' : given
    throw refused(name, shown, `it must match ${VARIABLES[name].pattern.source}`)
  }
  return given
}

function readNumber(environment: Environment, name: Declared<{ minimum: number }>): number {
  const { default: preset, minimum, maximum } = VARIABLES[name]
  const given = environment[name]
  if (given === undefined || given === '') return preset
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw refused(name, given, `it must be a whole number from ${minimum} to ${maximum}`)
}

function readChoice(environment: Environment, name: Declared<{ choices: readonly string[] }>): Config['log_level'] {
  const { default: preset, choices } = VARIABLES[name]
  const given = environment[name]
  if (given === undefined || given === '') return preset
  const found = choices.find((choice) => choice === given)
  if (found !== undefined) return found
  throw refused(name, given, `it must be one of ${choices.join(', ')}`)
}

function refused(name: string, given: string, rule: string): Refusal {
  return new Refusal('invalid_input', `the environment variable ${name} is ${JSON.stringify(given)}; ${rule}`)
}
