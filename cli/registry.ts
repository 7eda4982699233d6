import type { Command } from 'commander'
import { IDENTITIES, type Identity } from '#contract/vocabulary.ts'
import type { Adoption } from '#crawlers/registry/adopt.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import type { CrawlerHistory } from '#crawlers/registry/compare-histories.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import type { Reach } from './reach.ts'
import { addListCommands } from './registry-lists.ts'
import { reached } from './site.ts'
import { readWhole } from './whole-file.ts'

export function addRegistryCommands(program: Command): void {
  const registry = program.command('registry').description('the list of crawlers that labels all history')

  withCommonOptions(registry.command('show').description('the version in force and the loaded ones')).action(
    async (options: CommonOptions) => {
      const shown = await reached(options, (way) => way.run('registry.show', {}))
      if (options.json) {
        printJson(shown)
        return
      }
      printLine(`Registry ${shown.version} is in force: ${shown.entries} crawlers`)
      const purposes = Object.entries(shown.purposes).map(([purpose, entries]) => `${entries} ${purpose}`)
      printLine(`Declared purposes: ${purposes.join(', ')}`)
      const table = shown.versions.map((row) => [row.version, row.loaded_at, row.sha256.slice(0, 12)])
      printTable(['VERSION', 'LOADED', 'SHA-256'], table)
    },
  )

  withCommonOptions(
    registry
      .command('update')
      .description('load a newer registry and re-label all history; without a file or URL: the one of this release')
      .argument('[from]', 'JSON file, - for standard input, or an https URL'),
  ).action(async (from: string | undefined, options: CommonOptions) => {
    printAdoption(await reached(options, await update(from)), options)
  })

  addListCommands(registry)

  withCommonOptions(
    registry
      .command('use')
      .description('put a loaded version in force, for example to go back')
      .argument('<version>', 'as registry show lists it'),
  ).action(async (version: string, options: CommonOptions) => {
    printAdoption(await reached(options, (way) => way.run('registry.use', { version })), options)
  })
}

/** A file is read here, because the server opens no path that it is given; a URL is asked there, because it knows its own doors. */
async function update(from: string | undefined): Promise<(way: Reach) => Promise<Adoption>> {
  if (from !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(from))
    return (way) => way.run('registry.fetch', { url: from })
  const document = from === undefined ? JSON.stringify(builtInDocument) : (await readWhole(from)).toString('utf8')
  return (way) => way.run('registry.update', { document })
}

function printAdoption(adoption: Adoption, options: CommonOptions): void {
  if (options.json) {
    printJson(adoption)
    return
  }
  printLine(`Registry ${adoption.after} is in force (before: ${adoption.before ?? 'none'})`)
  if (adoption.changes.length === 0) printLine('No crawler of the stored history changes.')
  else {
    const table = adoption.changes.map((change) => [change.crawler_id, tell(change.before), tell(change.after)])
    printTable(['CRAWLER', 'BEFORE', 'AFTER'], table)
  }
}

function tell(history: CrawlerHistory | null): string {
  if (history === null) return 'not known'
  const { requests, purpose, identities } = history
  const sure = IDENTITIES.filter((identity) => identities[identity] > 0)
  const told = sure.map((identity) => `${identities[identity].toLocaleString('en')} ${NAMES[identity]}`)
  return `${requests.toLocaleString('en')} requests, ${purpose}, ${told.join(' + ')}`
}

const NAMES: Record<Identity, string> = {
  unknown: 'impostor',
  ua_identified: 'by user agent',
  provider_verified: 'provider verified',
  network_verified: 'network verified',
}
