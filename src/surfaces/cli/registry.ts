import type { Command } from 'commander'
import { IDENTITIES, type Identity } from '#contract/vocabulary.ts'
import type { Adoption } from '#crawlers/registry/adopt.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import type { CrawlerHistory } from '#crawlers/registry/compare-histories.ts'
import { Refusal } from '#refusal.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
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
      .description('load a newer registry and re-label all history; without a file: the one of this release')
      .argument('[file]', 'JSON file, - for standard input'),
  ).action(async (file: string | undefined, options: CommonOptions) => {
    const document = await readDocument(file)
    printAdoption(await reached(options, (way) => way.run('registry.update', { document })), options)
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

async function readDocument(file: string | undefined): Promise<string> {
  if (file === undefined) return JSON.stringify(builtInDocument)
  if (/^https?:\/\//i.test(file)) {
    throw new Refusal('not_built', 'fetching a registry from a URL is not built yet: download it and give the file')
  }
  return (await readWhole(file)).toString('utf8')
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
