/** The only reader of the environment. It declares every variable, and docs/configuration.md is generated from it. */
import { isIP } from 'node:net'
import { type Network, readNetwork } from '#networks.ts'
import { Refusal } from '#refusal.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/** Every variable with its default: texts have a pattern and its `form` in words, numbers bounds, choices values. */
export const VARIABLES = {
  SPOOR_DATA: {
    default: './data',
    pattern: /^.+$/,
    form: 'a folder',
    description: 'Folder of the embedded stores; `--data` overrides it.',
  },
  SPOOR_DATABASE_URL: {
    default: '',
    pattern: /^postgres(ql)?:\/\/\S+$/,
    form: 'a URL such as postgres://user:password@host:5432/database',
    is_secret: true,
    description:
      'PostgreSQL database of the control store; without it, SQLite in the data folder. A secret: never logged.',
  },
  SPOOR_HOST: {
    default: '127.0.0.1',
    pattern: /^\S+$/,
    form: 'an address or a host name',
    description: 'Address that the service listens on; `--host` overrides it.',
  },
  SPOOR_PORT: {
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'Port that the service listens on, 0 for any free one; `--port` overrides it.',
  },
  SPOOR_LOG_LEVEL: {
    default: 'info',
    choices: LOG_LEVELS,
    description: 'How much the service logs to standard error.',
  },
  SPOOR_SUPPORT_EMAIL: {
    default: '',
    pattern: /^[^@\s]+@[^@\s]+$/,
    form: 'an e-mail address',
    description: 'Contact address in the OpenAPI document; empty for none.',
  },
  SPOOR_EVIDENCE_MEMORY_MB: {
    default: 0,
    minimum: 0,
    maximum: 16_777_216,
    description: 'Most memory the evidence store may use, in MiB; 0 takes 40 % of the machine or container.',
  },
  SPOOR_PUBLIC_URL: {
    default: '',
    pattern: /^https?:\/\/[^\s/?#@]+$/,
    form: 'a scheme and a host without a path, such as https://spoor.example.com',
    description: 'Where browsers reach the service when a proxy stands before it; empty for the address it listens on.',
  },
  SPOOR_TRUSTED_PROXIES: {
    default: '127.0.0.0/8,::1',
    addresses: true,
    description: 'Proxies whose `X-Forwarded-For` is believed; `none` for no proxy at all.',
  },
  SPOOR_WATCHDOG_SECONDS: {
    default: 30,
    minimum: 0,
    maximum: 86_400,
    description: 'After this long without a sign of life the service is killed and started again; 0 turns that off.',
  },
  SPOOR_METRICS_LISTEN: {
    default: '127.0.0.1:9464',
    pattern: /^(off|\[[\da-f:.]+\]:\d{1,5}|[^\s:]+:\d{1,5})$/i,
    form: 'an address and a port, such as 127.0.0.1:9464, or off',
    description: 'Address and port of `/metrics`, port 0 for any free one; `off` for none.',
  },
  SPOOR_METRICS_TOKEN: {
    default: '',
    pattern: /^[\w.~+/-]{16,256}=*$/,
    form: '16 to 256 letters, digits and . _ ~ + / -',
    description: 'Bearer that `/metrics` asks for; needed when it listens on more than the machine itself.',
    is_secret: true,
  },
  SPOOR_ALLOW_NETWORKS: {
    default: '',
    addresses: true,
    description:
      'Networks that the service may ask besides public addresses, for example `10.0.0.0/8`. Cloud metadata, its own listeners and its stores stay refused.',
  },
  SPOOR_ALLOW_PORTS: {
    default: '',
    ports: true,
    description: 'Ports that the service may ask besides 80 and 443.',
  },
  SPOOR_DNS_SERVERS: {
    default: '',
    pattern: /^[\da-fA-F.:[\]]+(,[\da-fA-F.:[\]]+)*$/,
    form: 'a list of addresses such as 192.0.2.53 or 192.0.2.53:5353, separated by commas',
    description: 'Name servers that are asked for the names of addresses; empty for those of the machine.',
  },
  SPOOR_SECRET_KEY: {
    default: '',
    pattern: /^([\da-f]{64}|[\w+/-]{43}=?)$/i,
    form: '32 random bytes as 64 hexadecimal digits or as base64, for example from openssl rand -hex 32',
    is_secret: true,
    description: 'Key that seals stored secrets; without it, `secret.key` in the data folder.',
  },
  SPOOR_CLOUDFLARE_API_URL: {
    default: 'https://api.cloudflare.com/client/v4',
    pattern: /^https?:\/\/\S*[^\s/]$/,
    form: 'an http or https URL without a slash at the end',
    description: 'Where the API of Cloudflare is.',
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
  /** Scheme, host and port, as a browser writes an origin. */
  readonly public_url: string | null
  readonly trusted_proxies: readonly Network[]
  /** Empty: those of the machine. */
  readonly dns_servers: readonly string[]
  /** 0: no watchdog. */
  readonly watchdog_seconds: number
  readonly metrics: MetricsConfig | null
  /** May be asked besides public addresses, and besides 80 and 443. */
  readonly allow_networks: readonly Network[]
  readonly allow_ports: ReadonlySet<number>
  /** 32 bytes as hexadecimal digits or base64: never logged, never in a message. */
  readonly secret_key: string | null
  /** Without a slash at the end. */
  readonly cloudflare_api_url: string
}

export interface MetricsConfig {
  readonly host: string
  readonly port: number
  /** Null: whoever reaches the address may read. */
  readonly token: string | null
}

/** Reads the configuration; a value out of its bounds is a Refusal(invalid_input) that names the variable. */
export function readConfig(environment: Environment = process.env): Config {
  const database_url = readText(environment, 'SPOOR_DATABASE_URL')
  const email = readText(environment, 'SPOOR_SUPPORT_EMAIL')
  const secret_key = readText(environment, 'SPOOR_SECRET_KEY')
  return Object.freeze({
    data: readText(environment, 'SPOOR_DATA'),
    database_url: database_url === '' ? null : database_url,
    host: readText(environment, 'SPOOR_HOST'),
    port: readNumber(environment, 'SPOOR_PORT'),
    log_level: readChoice(environment, 'SPOOR_LOG_LEVEL'),
    support_email: email === '' ? null : email,
    evidence_memory_mb: readNumber(environment, 'SPOOR_EVIDENCE_MEMORY_MB'),
    public_url: readOrigin(environment, 'SPOOR_PUBLIC_URL'),
    trusted_proxies: readAddresses(environment, 'SPOOR_TRUSTED_PROXIES'),
    watchdog_seconds: readNumber(environment, 'SPOOR_WATCHDOG_SECONDS'),
    metrics: readMetrics(environment),
    allow_networks: readAddresses(environment, 'SPOOR_ALLOW_NETWORKS'),
    dns_servers: readServers(environment, 'SPOOR_DNS_SERVERS'),
    allow_ports: readPorts(environment, 'SPOOR_ALLOW_PORTS'),
    secret_key: secret_key === '' ? null : secret_key,
    cloudflare_api_url: readText(environment, 'SPOOR_CLOUDFLARE_API_URL'),
  })
}

/** Names that look like ours and are none, most likely misspelt. */
export function unknownVariables(environment: Environment = process.env): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('SPOOR_') && !Object.hasOwn(VARIABLES, name))
}

/** Threads of Node's pool, which running statements of the evidence store hold; the launcher sets 16. */
export function threadPoolSize(environment: Environment = process.env): number {
  const given = Number(environment.UV_THREADPOOL_SIZE)
  return Number.isInteger(given) && given > 0 ? given : NODES_OWN_POOL
}

const NODES_OWN_POOL = 4

export type Environment = Readonly<Record<string, string | undefined>>
type Variables = typeof VARIABLES
type Declared<Has> = { [Name in keyof Variables]: Variables[Name] extends Has ? Name : never }[keyof Variables]

/** A listener that others can reach needs a bearer (rules 7). */
function readMetrics(environment: Environment): MetricsConfig | null {
  const listen = readText(environment, 'SPOOR_METRICS_LISTEN')
  if (listen.toLowerCase() === 'off') return null
  const at = listen.lastIndexOf(':')
  const host = listen.slice(0, at).replace(/^\[|\]$/g, '')
  const port = Number(listen.slice(at + 1))
  if (port > 65_535) throw refused('SPOOR_METRICS_LISTEN', listen, 'the port must be from 0 to 65535')
  const token = readText(environment, 'SPOOR_METRICS_TOKEN')
  if (token === '' && !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/i.test(host)) {
    throw refused(
      'SPOOR_METRICS_LISTEN',
      listen,
      'an address that others can reach needs a bearer: set SPOOR_METRICS_TOKEN to 16 characters or more, or listen on 127.0.0.1',
    )
  }
  return { host, port, token: token === '' ? null : token }
}

/** Addresses with or without a port, as node:dns takes them. */
function readServers(environment: Environment, name: 'SPOOR_DNS_SERVERS'): string[] {
  const given = readText(environment, name)
  const servers = given === '' ? [] : given.split(',')
  for (const server of servers) {
    const host = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5}|(.+))$/.exec(server)
    const address = host?.[1] ?? host?.[2] ?? host?.[3]
    if (address === undefined || isIP(address) === 0) {
      throw refused(name, given, 'it must list addresses such as 192.0.2.53 or 192.0.2.53:5353, separated by commas')
    }
  }
  return servers
}

function readText(environment: Environment, name: Declared<{ pattern: RegExp }>): string {
  const given = environment[name]
  if (given === undefined || given === '') return VARIABLES[name].default
  const declared = VARIABLES[name]
  if (!declared.pattern.test(given))
    throw refused(name, 'is_secret' in declared ? null : given, `it must be ${declared.form}`)
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

function readOrigin(environment: Environment, name: 'SPOOR_PUBLIC_URL'): string | null {
  const given = readText(environment, name)
  if (given === '') return null
  if (URL.canParse(given)) return new URL(given).origin
  throw refused(name, given, 'it must be a scheme and a host, for example https://spoor.example.com')
}

/** Addresses and networks (CIDR) of both families, separated by commas. */
function readAddresses(environment: Environment, name: Declared<{ addresses: true }>): readonly Network[] {
  const set = environment[name]
  const given = set === undefined || set === '' ? VARIABLES[name].default : set
  const entries = ['', 'none'].includes(given.trim()) ? [] : given.split(',')
  return entries.map((entry) => {
    const network = readNetwork(entry.trim())
    if (network !== null) return network
    const rule = 'it must list addresses or networks such as 10.0.0.0/8, separated by commas, or be none'
    throw refused(name, given, `${JSON.stringify(entry.trim())} is not an address or network; ${rule}`)
  })
}

/** Port numbers, separated by commas. */
function readPorts(environment: Environment, name: Declared<{ ports: true }>): ReadonlySet<number> {
  const given = environment[name]?.trim()
  if (given === undefined || given === '') return new Set()
  const ports = given.split(',').map((entry) => (/^\s*\d{1,5}\s*$/.test(entry) ? Number(entry) : Number.NaN))
  if (ports.every((port) => port >= 1 && port <= 65_535)) return new Set(ports)
  throw refused(name, given, 'it must list ports from 1 to 65535, separated by commas')
}

/** `given` null: a secret, which no message repeats. */
function refused(name: string, given: string | null, rule: string): Refusal {
  const is = given === null ? 'not of its form' : JSON.stringify(given)
  return new Refusal('invalid_input', `the environment variable ${name} is ${is}; ${rule}`)
}
