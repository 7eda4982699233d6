/** The only reader of the environment. Everything it may hold is declared here, and docs/configuration.md is generated from it. */
import Type, { type Static } from 'typebox'
import { Refusal } from '#refusal.ts'

export const Variables = Type.Object({
  SPOOR_DATA: Type.String({ default: './data', description: 'Folder of the embedded stores; `--data` overrides it.' }),
  SPOOR_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address that `spoor serve` listens on; `--host` overrides it.',
  }),
  SPOOR_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'Port that `spoor serve` listens on, 0 for any free one; `--port` overrides it.',
  }),
  SPOOR_LOG_LEVEL: Type.Union(
    [
      Type.Literal('trace'),
      Type.Literal('debug'),
      Type.Literal('info'),
      Type.Literal('warn'),
      Type.Literal('error'),
      Type.Literal('silent'),
    ],
    { default: 'info', description: 'How much the service logs to standard error: trace, debug, info, warn, error or silent.' },
  ),
  SPOOR_SUPPORT_EMAIL: Type.String({
    default: 'support@example.com',
    pattern: '^[^@\\s]+@[^@\\s]+$',
    description: 'Contact address in the OpenAPI document.',
  }),
  SPOOR_EVIDENCE_MEMORY_MB: Type.Integer({
    default: 0,
    minimum: 0,
    description: 'Most memory the evidence store may use, in MiB; 0 takes 40 % of the machine or container.',
  }),
})

export type Config = Readonly<{
  data: string
  host: string
  port: number
  log_level: Static<typeof Variables>['SPOOR_LOG_LEVEL']
  support_email: string
  evidence_memory_mb: number
}>

/** Reads the configuration; a value out of its bounds is a Refusal that names the variable. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  return Object.freeze({
    data: text(environment, 'SPOOR_DATA'),
    host: text(environment, 'SPOOR_HOST'),
    port: integer(environment, 'SPOOR_PORT'),
    log_level: choice(environment),
    support_email: text(environment, 'SPOOR_SUPPORT_EMAIL'),
    evidence_memory_mb: integer(environment, 'SPOOR_EVIDENCE_MEMORY_MB'),
  })
}

type Environment = Record<string, string | undefined>

function text(environment: Environment, name: 'SPOOR_DATA' | 'SPOOR_HOST' | 'SPOOR_SUPPORT_EMAIL'): string {
  const declared = Variables.properties[name]
  const given = environment[name]
  if (given === undefined || given === '') return declared.default as string
  const pattern = 'pattern' in declared ? (declared.pattern as string | undefined) : undefined
  if (pattern !== undefined && !new RegExp(pattern).test(given)) {
    throw new Refusal('invalid_input', `${name} is ${JSON.stringify(given)}; it must match ${pattern}`)
  }
  return given
}

function integer(environment: Environment, name: 'SPOOR_PORT' | 'SPOOR_EVIDENCE_MEMORY_MB'): number {
  const declared = Variables.properties[name] as { default: number; minimum: number; maximum?: number }
  const given = environment[name]
  if (given === undefined || given === '') return declared.default
  const most = declared.maximum ?? Number.MAX_SAFE_INTEGER
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (!(value >= declared.minimum && value <= most)) {
    throw new Refusal('invalid_input', `${name} is ${JSON.stringify(given)}; it must be a whole number ${declared.minimum} to ${most}`)
  }
  return value
}

function choice(environment: Environment): Config['log_level'] {
  const declared = Variables.properties.SPOOR_LOG_LEVEL
  const given = environment['SPOOR_LOG_LEVEL']
  if (given === undefined || given === '') return declared.default as Config['log_level']
  const allowed = declared.anyOf.map((option) => option.const)
  const found = allowed.find((level) => level === given)
  if (found === undefined) {
    throw new Refusal('invalid_input', `SPOOR_LOG_LEVEL is ${JSON.stringify(given)}; it must be one of ${allowed.join(', ')}`)
  }
  return found
}
