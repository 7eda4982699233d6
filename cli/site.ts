import { type Command, InvalidArgumentError } from 'commander'
import { type ConfirmOptions, confirm } from './confirm.ts'
import { type CommonOptions, configOf, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import { type Reach, reach } from './reach.ts'

export function addSiteCommands(program: Command): void {
  const site = program.command('site').description('add, list and remove sites')

  withCommonOptions(
    site.command('add').description('add a site').argument('<domain>', 'for example example.com'),
  ).action(async (domain: string, options: CommonOptions) => {
    const added = await reached(options, (way) => way.run('site.add', { domain }))
    if (options.json) printJson(added)
    else printLine(`Added ${added.root_domain}, id ${added.id}`)
  })

  withCommonOptions(site.command('list').description('list the sites')).action(async (options: CommonOptions) => {
    const { sites } = await reached(options, (way) => way.run('site.list', {}))
    if (options.json) printJson({ sites })
    else if (sites.length === 0) printLine('No sites yet. Add one: spoor site add example.com')
    else {
      const table = sites.map((row) => [row.root_domain, row.id, row.created_at])
      printTable(['DOMAIN', 'ID', 'ADDED'], table)
    }
  })

  withCommonOptions(
    site
      .command('remove')
      .description('remove a site with its members, definitions and evidence, for good')
      .argument('<site>', 'domain or id')
      .option('--yes', 'do not ask; needed with --json and where there is no terminal'),
  ).action(async (text: string, options: ConfirmOptions) => {
    if (!options.yes) {
      // Any read names the site as it is known, and refuses one that is not.
      const { root_domain, id } = await reached(options, (way) => way.run('site.retention', { site: text }))
      await confirm(
        options,
        `This removes ${root_domain} (${id}) with its members, definitions and all its evidence, for good. Keys that open no other site open nothing any more.`,
      )
    }
    const removed = await reached(options, (way) => way.run('site.remove', { site: text }))
    if (options.json) printJson(removed)
    else printLine(`Removed ${removed.root_domain}, id ${removed.id}`)
  })

  withCommonOptions(
    site
      .command('retention')
      .description('show or set for how many days evidence is kept')
      .argument('<site>', 'domain or id')
      .argument('[days]', 'a whole number of days; what is older is deleted within the hour', daysArgument),
  ).action(async (text: string, days: number | undefined, options: CommonOptions) => {
    const asked = { site: text, ...(days === undefined ? {} : { days }) }
    const kept = await reached(options, (way) => way.run('site.retention', asked))
    if (options.json) printJson(kept)
    else printLine(`${kept.root_domain} keeps evidence for ${kept.retention_days} days`)
  })
  addPrivacyFloor(site)
}

function addPrivacyFloor(site: Command): void {
  withCommonOptions(
    site
      .command('privacy-floor')
      .description('show or set below how many entered sessions a funnel is suppressed')
      .argument('<site>', 'domain or id')
      .argument('[n]', 'a whole number of sessions; 0 suppresses nothing', floorArgument),
  ).action(async (text: string, floor: number | undefined, options: CommonOptions) => {
    const asked = { site: text, ...(floor === undefined ? {} : { privacy_floor: floor }) }
    const settled = await reached(options, (way) => way.run('site.privacy_floor', asked))
    if (options.json) printJson(settled)
    else if (settled.privacy_floor === 0) printLine(`${settled.root_domain} suppresses no funnel`)
    else
      printLine(`${settled.root_domain} suppresses funnels that fewer than ${settled.privacy_floor} sessions entered`)
  })
}

function floorArgument(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Give a whole number of sessions from 0 up.')
  return Number(text)
}

function daysArgument(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number of days from 1 up.')
  return Number(text)
}

/** Runs one command on the data folder of the options and lets go of it. */
export async function reached<T>(options: CommonOptions, work: (way: Reach) => Promise<T>): Promise<T> {
  const way = await reach(configOf(options))
  try {
    return await work(way)
  } finally {
    await way.close()
  }
}
