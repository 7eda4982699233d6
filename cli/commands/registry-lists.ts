/** `registry lists`: the addresses that vendors publish for their crawlers. */
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { countOf, formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { group, operation } from '../command.ts'
import { readWhole } from '../input/input-files.ts'
import { argument, flag, mapped, required } from '../input/parameters.ts'
import { lines, table } from '../output.ts'

const NAME_OF_LIST = 'its URL or code as `registry lists list` shows it, or one of its crawlers'
const ABOUT_REMOVING = 'remove a list and all its versions; a service with internet access loads it again'
const file = argument('<file>', 'as its vendor publishes it (JSON, text, CSV or page), - for standard input')

export const listCommands = group('lists', 'the addresses that vendors publish, which prove or refute claims', [
  operation('registry.lists.list', 'show every list that the registry names, and which version is loaded', {
    text: ({ lists }) =>
      table(lists, {
        CODE: 'code',
        STATE: 'state',
        NETWORKS: ({ prefixes }) => (prefixes === null ? '-' : formatCount(prefixes)),
        VERSIONS: 'versions',
        CONFIRMED: ['confirmed_at', '-'],
        CRAWLERS: (row) => (row.crawlers.length === 0 ? '(proxy)' : row.crawlers.join(', ')),
        URL: 'id',
      }),
    notes({ lists }, _input, { json }) {
      const failed = json ? [] : lists.filter(({ failure }) => failure !== null)
      return failed.map(({ id, failure }) => `${id} could not be loaded: ${failure}`)
    },
  }),
  operation('registry.lists.import', 'load a list from a file, for a machine without internet', {
    parameters: {
      document: mapped(file, async (name) => (await readWhole(name)).toString('base64')),
      list: required('--list <id>', NAME_OF_LIST),
      is_whole_as: flag('--whole-as', 'the list is a whole autonomous system: it is kept but proves nothing'),
    },
    text: ({ list_id, prefixes, sha256, is_new, is_whole_as }) =>
      lines(
        `${countOf(prefixes, 'network')} of ${list_id}: this ${is_new ? 'is a new version' : 'confirms the content that was already loaded'} (${sha256.slice(0, 12)})`,
        is_whole_as ? 'It is a whole autonomous system, so it proves nothing.' : null,
      ),
  }),
  operation('registry.lists.remove', ABOUT_REMOVING, {
    parameters: { list: argument('<list>', NAME_OF_LIST) },
    text: ({ list_id, versions }) =>
      `Removed ${list_id} with ${versions === 1 ? 'its one version' : `its ${versions} versions`}`,
  }),
  operation('registry.lists.update', 'load every list from its vendor now', {
    text: ({ lists }) =>
      table(lists, {
        RESULT: resultText,
        NETWORKS: (row) => ('failure' in row ? '-' : formatCount(row.prefixes)),
        URL: 'list_id',
        WHY: (row) => ('failure' in row ? row.failure : ''),
      }),
    failure({ lists }) {
      const failed = lists.filter((row) => 'failure' in row).length
      const reason = `${failed} of ${lists.length} lists could not be loaded; their earlier content stays in force`
      return failed === 0 ? null : new Refusal('unreachable', reason)
    },
  }),
])

function resultText(row: ManagementOutput<'registry.lists.update'>['lists'][number]): string {
  if ('failure' in row) return 'failed'
  return row.is_new ? 'new' : 'unchanged'
}
