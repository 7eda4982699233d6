/** `source connect`: sources that the service asks for evidence by itself. */
import { Option } from 'commander'
import { Refusal } from '#refusal.ts'
import { operation } from '../command.ts'
import { askSecret } from '../input/ask.ts'
import { readWhole } from '../input/input-files.ts'
import { mapped, option, optional } from '../input/parameters.ts'
import { lines } from '../output.ts'
import { siteArgument as site } from './site.ts'

const zone = new Option('--zone [zone]', 'name or id of the zone; without one: the zone of the site’s domain')
const tokenFile = optional(
  '--token-file <file>',
  'file that holds the API token, - for standard input; without it you are asked. Never give a token as an argument: other users can see it',
)
const description = 'connect a Cloudflare zone, or give a connected one a new token'

export const connectCommand = operation('source.connect', description, {
  parameters: {
    site,
    zone: mapped(option<string | true>(zone.makeOptionMandatory()), (name) => (name === true ? undefined : name)),
    token: mapped(tokenFile, readToken),
  },
  text: ({ zone_name, root_domain, source_id, read_from, hostnames }) =>
    lines(
      `Connected the zone ${zone_name} to ${root_domain}: source ${source_id}`,
      `A running service now reads its hours from ${read_from} on.`,
      hostnames && `Proxied names: ${hostnames.proxied.join(', ') || 'none'}`,
    ),
  notes: ({ hostnames }, _input, { json }) =>
    json || hostnames !== null ? [] : ['The token cannot read DNS records, so the proxied names are unknown.'],
})

/** Reads a token from a file, standard input or the terminal, so that no process list or shell history contains it. */
async function readToken(file: string | undefined): Promise<string> {
  const text =
    file === undefined
      ? await askSecret('API token of Cloudflare (nothing is shown): ', NO_TERMINAL)
      : (await readWhole(file)).toString('utf8')
  const token = text.trim()
  if (token !== '') return token
  throw new Refusal('invalid_input', 'no token was given: name a file that holds it with --token-file')
}

const NO_TERMINAL =
  'this is not an interactive terminal: give the token with --token-file FILE, or - for standard input'
