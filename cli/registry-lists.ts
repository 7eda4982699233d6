import type { Command } from 'commander'
import { Refusal } from '#refusal.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { note, printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'
import { readWhole } from './whole-file.ts'

interface ImportOptions extends CommonOptions {
  list: string
  wholeAs?: boolean
}

/** `registry lists`: the addresses that vendors publish for their crawlers. */
export function addListCommands(registry: Command): void {
  const lists = registry
    .command('lists')
    .description('the addresses that vendors publish, which prove or refute claims')

  withCommonOptions(
    lists.command('list').description('every list that the registry names, and what is held of it'),
  ).action(async (options: CommonOptions) => {
    const shown = await reached(options, (way) => way.run('registry.lists.list', {}))
    if (options.json) {
      printJson(shown)
      return
    }
    const table = shown.lists.map((list) => [
      list.code,
      list.state,
      list.prefixes === null ? '-' : String(list.prefixes),
      String(list.versions),
      list.confirmed_at ?? '-',
      list.crawlers.length === 0 ? '(proxy)' : list.crawlers.join(', '),
      list.id,
    ])
    printTable(['CODE', 'STATE', 'NETWORKS', 'VERSIONS', 'CONFIRMED', 'CRAWLERS', 'URL'], table)
    for (const { id, failure } of shown.lists) if (failure !== null) note(`${id} could not be loaded: ${failure}`)
  })

  withCommonOptions(
    lists
      .command('import')
      .description('take a list from a file, for a machine without internet')
      .argument('<file>', 'as its vendor publishes it (JSON, text, CSV or page), - for standard input')
      .requiredOption('--list <id>', 'its URL or code as `registry lists list` shows it, or one of its crawlers')
      .option('--whole-as', 'it is all of an autonomous system: kept, and proves nothing'),
  ).action(async (file: string, options: ImportOptions) => {
    const document = (await readWhole(file)).toString('base64')
    const input = { list: options.list, document, is_whole_as: options.wholeAs === true }
    const kept = await reached(options, (way) => way.run('registry.lists.import', input))
    if (options.json) {
      printJson(kept)
      return
    }
    const what = kept.is_new ? 'is a new version' : 'is the content held already, now confirmed'
    printLine(
      `${kept.prefixes.toLocaleString('en')} networks of ${kept.list_id}: this ${what} (${kept.sha256.slice(0, 12)})`,
    )
    if (kept.is_whole_as) printLine('It is all of an autonomous system and proves nothing.')
  })

  withCommonOptions(
    lists
      .command('remove')
      .description('forget a list and all its versions; the service loads it again where it reaches the internet')
      .argument('<list>', 'its URL or code as `registry lists list` shows it, or one of its crawlers'),
  ).action(async (list: string, options: CommonOptions) => {
    const removed = await reached(options, (way) => way.run('registry.lists.remove', { list }))
    if (options.json) printJson(removed)
    else
      printLine(
        `Removed ${removed.list_id} with ${removed.versions === 1 ? 'its one version' : `its ${removed.versions} versions`}`,
      )
  })

  withCommonOptions(lists.command('update').description('load every list from its vendor now')).action(
    async (options: CommonOptions) => {
      const { lists: loaded } = await reached(options, (way) => way.run('registry.lists.update', {}))
      if (options.json) printJson({ lists: loaded })
      else {
        const table = loaded.map((list) =>
          'failure' in list
            ? ['failed', '-', list.list_id, list.failure]
            : [list.is_new ? 'new' : 'unchanged', String(list.prefixes), list.list_id, ''],
        )
        printTable(['RESULT', 'NETWORKS', 'URL', 'WHY'], table)
      }
      const failed = loaded.filter((list) => 'failure' in list)
      if (failed.length > 0) {
        throw new Refusal(
          'unreachable',
          `${failed.length} of ${loaded.length} lists could not be loaded; what was held of them stays held`,
        )
      }
    },
  )
}
