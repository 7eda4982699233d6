import type { ManagementOutput } from '#contract/management-api/index.ts'
import { IDENTITIES, type Identity } from '#contract/vocabulary.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { readUrl } from '#outgoing/destination.ts'
import { countOf, formatCount } from '#quantities.ts'
import { judgedBy } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { readWhole } from '../input/input-files.ts'
import { argument } from '../input/parameters.ts'
import { lines, table, tableOr } from '../output.ts'
import { listCommands } from './registry-lists.ts'

type Adoption = ManagementOutput<'registry.update'>

const readHttpsUrl = judgedBy((text: string) => readUrl(text, ['https']))
const from = argument('[from]', 'JSON file, - for standard input, or an https URL')

export const registryCommands = group('registry', 'the list of crawlers that labels all history', [
  operation('registry.show', 'show the version in force and the other loaded ones', {
    text: ({ version, entries, purposes, versions }) =>
      lines(
        `Registry ${version} is in force: ${entries} crawlers`,
        `Declared purposes: ${Object.entries(purposes)
          .map(([purpose, count]) => `${count} ${purpose}`)
          .join(', ')}`,
        table(versions, { VERSION: 'version', LOADED: 'loaded_at', 'SHA-256': (row) => row.sha256.slice(0, 12) }),
      ),
  }),
  command('update', 'load a newer registry and re-label all history (default: the registry of this release)', {
    parameters: { from },
    /** The client reads files, because the server never opens a given path; the server reads URLs. */
    async run({ from }, { run }) {
      if (from !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(from)) {
        readHttpsUrl(from)
        return run('registry.fetch', { url: from })
      }
      const document = from === undefined ? JSON.stringify(builtInDocument) : (await readWhole(from)).toString('utf8')
      return run('registry.update', { document })
    },
    text: adoptionText,
  }),
  listCommands,
  operation('registry.use', 'put a loaded version in force, for example to go back', {
    parameters: { version: argument('<version>', 'as registry show lists it') },
    text: adoptionText,
  }),
])

function adoptionText({ before, after, changes }: Adoption): string {
  return lines(
    `Registry ${after} is in force (before: ${before ?? 'none'})`,
    tableOr('No crawler of the stored history changes.', changes, {
      CRAWLER: 'crawler_id',
      BEFORE: (row) => historyText(row.before),
      AFTER: (row) => historyText(row.after),
    }),
  )
}

function historyText(history: Adoption['changes'][number]['before']): string {
  if (history === null) return 'not known'
  const { requests, purpose, identities } = history
  const counts = IDENTITIES.filter((identity) => identities[identity] > 0).map(
    (identity) => `${formatCount(identities[identity])} ${IDENTITY_NAMES[identity]}`,
  )
  return `${countOf(requests, 'request')}, ${purpose}, ${counts.join(' + ')}`
}

const IDENTITY_NAMES: Record<Identity, string> = {
  unknown: 'impostor',
  ua_identified: 'by user agent',
  provider_verified: 'provider verified',
  network_verified: 'network verified',
}
