/** The only reader of the environment. */
import { isLoopbackName, isServerAddress, type Network, readNetwork, readPortNumber } from '#networks.ts'
import { Refusal } from '#refusal.ts'
import { readSmtpUrl, type SmtpServer } from './config/smtp-url.ts'
import { type LOG_LEVELS, VARIABLES } from './config/variables.ts'

export interface Config {
  readonly data: string
  /** Holds a password: never logged, never in a message. */
  readonly database_url: string | null
  /** Null: the embedded evidence store. */
  readonly clickhouse: ClickHouseConfig | null
  readonly collect: CollectConfig
  /** Empty: that of the machine. */
  readonly node_name: string
  readonly host: string
  readonly port: number
  readonly log_level: (typeof LOG_LEVELS)[number]
  readonly support_email: string | null
  /** Whether the deprecated routes of the account API are served. */
  readonly has_deprecated_routes: boolean
  readonly evidence_memory_mb: number
  /** Scheme, host and port, as a browser writes an origin. */
  readonly public_url: string | null
  readonly trusted_proxies: readonly Network[]
  /** Empty: those of the machine. */
  readonly dns_servers: readonly string[]
  /** 0: no watchdog. */
  readonly watchdog_seconds: number
  readonly metrics: MetricsConfig | null
  /** Requests may go to these besides public addresses, and besides ports 80 and 443. */
  readonly allow_networks: readonly Network[]
  readonly allow_ports: ReadonlySet<number>
  /** 32 bytes as hexadecimal digits or base64: never logged, never in a message. */
  readonly secret_key: string | null
  /** Without a slash at the end. */
  readonly cloudflare_api_url: string
  /** Without a slash at the end. */
  readonly search_console_api_url: string
  readonly google_token_url: string
  readonly bing_webmaster_api_url: string
  /** Null: no e-mail is sent. */
  readonly smtp: (SmtpServer & { readonly from: string }) | null
}

export interface ClickHouseConfig {
  /** Servers that hold the same evidence, one at least. They may hold a password: never logged, never in a message. */
  readonly urls: readonly string[]
  /** The cluster of these servers; null: each holds everything. */
  readonly cluster: string | null
}

/** Where events are durable before they are acknowledged (decisions 8.2). */
export interface CollectConfig {
  readonly mode: 'direct' | 'local' | 'shared'
  /** The folder that all nodes see; null for other modes than `shared`. */
  readonly folder: string | null
}

export interface MetricsConfig {
  readonly host: string
  readonly port: number
  /** Null: no token is needed. */
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
    clickhouse: readClickHouse(environment),
    collect: readCollect(environment),
    node_name: readText(environment, 'SPOOR_NODE_NAME'),
    host: readText(environment, 'SPOOR_HOST'),
    port: readNumber(environment, 'SPOOR_PORT'),
    log_level: readChoice(environment, 'SPOOR_LOG_LEVEL'),
    support_email: email === '' ? null : email,
    has_deprecated_routes: readChoice(environment, 'SPOOR_DEPRECATED_ROUTES') === 'on',
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
    search_console_api_url: readText(environment, 'SPOOR_SEARCH_CONSOLE_API_URL'),
    google_token_url: readText(environment, 'SPOOR_GOOGLE_TOKEN_URL'),
    bing_webmaster_api_url: readText(environment, 'SPOOR_BING_WEBMASTER_API_URL'),
    smtp: readSmtp(environment),
  })
}

/**
 * The server that `spoor mcp` calls, and its account token; not part of the configuration, because nothing else needs
 * them. @throws Refusal invalid_input
 */
export function readServerToAsk(environment: Environment): { url: string; token: string } {
  const token = readText(environment, 'SPOOR_TOKEN')
  if (token === '') throw refused('SPOOR_TOKEN', '', `it must be ${VARIABLES.SPOOR_TOKEN.form}`)
  return { url: readText(environment, 'SPOOR_URL').replace(/\/+$/, ''), token }
}

/** Names that begin with SPOOR_ and are not variables of Spoor, most likely misspelt. */
export function unknownVariables(environment: Environment = process.env): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('SPOOR_') && !Object.hasOwn(VARIABLES, name))
}

/** False if NO_COLOR is set (no-color.org) or the terminal has no colours. */
export function wantsColour(environment: Environment = process.env): boolean {
  const { NO_COLOR, TERM } = environment
  return (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb'
}

/** Threads of Node's pool, which running statements of the evidence store hold; the launcher sets 16. */
export function threadPoolSize(environment: Environment = process.env): number {
  const given = Number(environment.UV_THREADPOOL_SIZE)
  return Number.isInteger(given) && given > 0 ? given : NODES_OWN_POOL
}

const NODES_OWN_POOL = 4

/** The environment of this process. */
export const processEnvironment = (): Environment => process.env

export type Environment = Readonly<Record<string, string | undefined>>
type Variables = typeof VARIABLES
type Declared<Has> = { [Name in keyof Variables]: Variables[Name] extends Has ? Name : never }[keyof Variables]

const NEEDS_BEARER =
  'an address that others can reach needs a bearer token: set SPOOR_METRICS_TOKEN to 16 characters or more, or listen on 127.0.0.1'

/** A listener that other machines can reach needs a token (rules 7). */
function readMetrics(environment: Environment): MetricsConfig | null {
  const listen = readText(environment, 'SPOOR_METRICS_LISTEN')
  if (listen.toLowerCase() === 'off') return null
  const at = listen.lastIndexOf(':')
  const host = listen.slice(0, at).replace(/^\[|\]$/g, '')
  const port = Number(listen.slice(at + 1))
  if (port > 65_535) throw refused('SPOOR_METRICS_LISTEN', listen, 'the port must be from 0 to 65535')
  const token = readText(environment, 'SPOOR_METRICS_TOKEN')
  if (token === '' && !isLoopbackName(host)) throw refused('SPOOR_METRICS_LISTEN', listen, NEEDS_BEARER)
  return { host, port, token: token === '' ? null : token }
}

/** Evidence servers can be shared by several nodes, which then need a shared control store (decisions 8). */
function readClickHouse(environment: Environment): ClickHouseConfig | null {
  const given = readText(environment, 'SPOOR_CLICKHOUSE_URL')
  const cluster = readText(environment, 'SPOOR_CLICKHOUSE_CLUSTER')
  if (given === '' && cluster === '') return null
  if (given === '')
    throw refused('SPOOR_CLICKHOUSE_URL', '', 'with SPOOR_CLICKHOUSE_CLUSTER it must name servers of that cluster')
  const urls = given.split(',')
  if (!urls.every((url) => URL.canParse(url))) {
    throw refused('SPOOR_CLICKHOUSE_URL', null, `it must be ${VARIABLES.SPOOR_CLICKHOUSE_URL.form}`)
  }
  if (readText(environment, 'SPOOR_DATABASE_URL') === '') {
    throw refused('SPOOR_DATABASE_URL', '', 'with SPOOR_CLICKHOUSE_URL the control store must be in PostgreSQL')
  }
  return { urls, cluster: cluster === '' ? null : cluster }
}

/** With the embedded store there is one service, and its own disk holds everything. */
function readCollect(environment: Environment): CollectConfig {
  const chosen = readChoice(environment, 'SPOOR_COLLECT_MODE')
  const has_servers = readText(environment, 'SPOOR_CLICKHOUSE_URL') !== ''
  const usual = has_servers ? 'direct' : 'local'
  const mode = chosen === 'auto' ? usual : chosen
  if (mode !== 'local' && !has_servers) {
    throw refused('SPOOR_COLLECT_MODE', chosen, 'without SPOOR_CLICKHOUSE_URL it must be auto or local')
  }
  const folder = readText(environment, 'SPOOR_COLLECT_FOLDER')
  if (mode !== 'shared') return { mode, folder: null }
  if (folder !== '') return { mode, folder }
  throw refused('SPOOR_COLLECT_FOLDER', '', 'with SPOOR_COLLECT_MODE=shared it must be a folder that all nodes see')
}

function readSmtp(environment: Environment): Config['smtp'] {
  const [url, from] = [readText(environment, 'SPOOR_SMTP_URL'), readText(environment, 'SPOOR_SMTP_FROM')]
  if (url === '') return null
  const server = readSmtpUrl(url)
  if (server === null) throw refused('SPOOR_SMTP_URL', null, `it must be ${VARIABLES.SPOOR_SMTP_URL.form}`)
  if (from === '') throw refused('SPOOR_SMTP_FROM', '', 'with SPOOR_SMTP_URL it must be the sender of e-mails')
  return { ...server, from }
}

/** Addresses with or without a port, as node:dns takes them. */
function readServers(environment: Environment, name: 'SPOOR_DNS_SERVERS'): string[] {
  const given = readText(environment, name)
  const servers = given === '' ? [] : given.split(',')
  if (servers.every(isServerAddress)) return servers
  throw refused(name, given, 'it must list addresses such as 192.0.2.53 or 192.0.2.53:5353, separated by commas')
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
  const declared = VARIABLES[name]
  const { default: preset, minimum, maximum } = declared
  const given = environment[name]
  if (given === undefined || given === '') return preset
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  if (value === 0 && 'zero' in declared) return value
  const or_zero = 'zero' in declared ? `, or 0 for ${declared.zero}` : ''
  throw refused(name, given, `it must be a whole number from ${minimum} to ${maximum}${or_zero}`)
}

type Choice = Declared<{ choices: readonly string[] }>

function readChoice<Name extends Choice>(
  environment: Environment,
  name: Name,
): (typeof VARIABLES)[Name]['choices'][number] {
  const { default: preset, choices }: { default: string; choices: readonly string[] } = VARIABLES[name]
  const given = environment[name]
  const chosen = given === undefined || given === '' ? preset : given
  if (choices.includes(chosen)) return chosen as (typeof VARIABLES)[Name]['choices'][number]
  throw refused(name, chosen, `it must be one of ${choices.join(', ')}`)
}

function readOrigin(environment: Environment, name: 'SPOOR_PUBLIC_URL'): string | null {
  const given = readText(environment, name)
  if (given === '') return null
  if (URL.canParse(given)) return new URL(given).origin
  throw refused(name, given, 'it must be a scheme and a host, for example https://spoor.example.com')
}

/** Addresses and networks (CIDR) of both families, separated by commas. */
function readAddresses(environment: Environment, name: Declared<{ addresses: true }>): readonly Network[] {
  const set = environment[name]?.trim()
  const given = set === undefined || set === '' ? VARIABLES[name].default : set
  const entries = ['', 'none'].includes(given) ? [] : given.split(',')
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
  const ports = given.split(',').map(readPortNumber)
  if (ports.every((port) => port !== null)) return new Set(ports)
  throw refused(name, given, 'it must list ports from 1 to 65535, separated by commas')
}

/** `given` null: a secret, which no message repeats; empty counts as not set. */
function refused(name: string, given: string | null, rule: string): Refusal {
  return new Refusal('invalid_input', `the environment variable ${name} is ${valueText(given)}; ${rule}`)
}

function valueText(given: string | null): string {
  if (given === null) return 'malformed'
  return given === '' ? 'not set' : JSON.stringify(given)
}
