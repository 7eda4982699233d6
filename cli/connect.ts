import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { Refusal } from '#refusal.ts'
import { commandHost } from './command-host.ts'
import { refuseFile } from './log-files.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { note, printJson, printLine } from './output.ts'
import { reached } from './site.ts'
import { standardInputIsTerminal, takeStandardInput } from './standard-input.ts'

interface ConnectOptions extends CommonOptions {
  zone: string | true
  tokenFile?: string
}

/** `source connect`: sources that the service asks for evidence by itself. */
export function addConnectCommand(source: Command): void {
  withCommonOptions(
    source
      .command('connect')
      .description('connect a Cloudflare zone, or give a connected one a new token')
      .argument('<site>', 'domain or id')
      .requiredOption('--zone [zone]', 'name or id of the zone; without one: the zone of the site’s domain')
      .option(
        '--token-file <file>',
        'file that holds the API token, - for standard input; left out: it is asked for. Never give a token as an argument, where other users can see it',
      ),
  ).action(async (site: string, { zone, tokenFile, ...options }: ConnectOptions) => {
    const token = await readToken(tokenFile)
    const asked = { site, token, ...(zone === true ? {} : { zone }) }
    const connected = await reached(options, (way) => way.run('source.connect', asked))
    if (options.json) printJson(connected)
    else {
      printLine(`Connected the zone ${connected.zone_name} to ${connected.root_domain}: source ${connected.source_id}`)
      printLine(`A running service now reads its hours from ${connected.read_from} on.`)
      if (connected.hostnames === null) note('The token may not read DNS records, so the proxied names stay unknown.')
      else printLine(`Proxied names: ${connected.hostnames.proxied.join(', ') || 'none'}`)
    }
  })
}

/** A token is read from a file, standard input or the terminal, so that it is in no list of processes and no shell history. */
async function readToken(file: string | undefined): Promise<string> {
  const token = (
    file === undefined ? await askToken() : file === '-' ? await readAll(takeStandardInput()) : fromFile(file)
  ).trim()
  if (token !== '') return token
  throw new Refusal('invalid_input', 'no token was given: name a file that holds it with --token-file')
}

function fromFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw refuseFile(file, error)
  }
}

/** The terminal shows nothing of what is typed. */
async function askToken(): Promise<string> {
  const { stderr } = commandHost()
  if (!standardInputIsTerminal() || !stderr.isTTY) {
    throw new Refusal(
      'invalid_input',
      'nobody can be asked for the token: give it with --token-file FILE, or - for standard input',
    )
  }
  stderr.write('API token of Cloudflare (nothing is shown): ')
  const input = takeStandardInput() as NodeJS.ReadStream
  input.setRawMode(true)
  const lines = createInterface({ input, terminal: true })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    input.setRawMode(false)
    input.destroy()
    stderr.write('\n')
  }
}
