import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'

/** `source sender`: which programs deliver to a source, and how one that is gone is no longer waited for. */
export function addSenderCommands(sender: Command): void {
  withCommonOptions(
    sender
      .command('list')
      .description('list the senders of a source, and the days that their silence makes partial')
      .argument('<source>', 'its id or name'),
  ).action(async (text: string, options: CommonOptions) => {
    const { senders } = await reached(options, (way) => way.run('source.sender_list', { source: text }))
    if (options.json) printJson({ senders })
    else if (senders.length === 0) printLine('No sender has delivered anything yet.')
    else {
      const table = senders.map((row) => [
        row.token_name === null ? row.name : `${row.name} (token ${row.token_name})`,
        row.last_received_at,
        row.retired_at === null ? row.expected_until : `retired ${row.retired_at}`,
        row.silent_days.length === 0 ? '-' : `${row.silent_days.length}, last ${row.silent_days.at(-1)}`,
      ])
      printTable(['SENDER', 'LAST DELIVERY', 'EXPECTED UNTIL', 'SILENT DAYS'], table)
    }
  })

  withCommonOptions(
    sender
      .command('retire')
      .description('wait no more for a sender that is gone; what it delivered keeps counting')
      .argument('<source>', 'id or name of its source')
      .argument('<sender>', 'its name'),
  ).action(async (source: string, name: string, options: CommonOptions) => {
    const retired = await reached(options, (way) => way.run('source.sender_retire', { source, sender: name }))
    if (options.json) printJson(retired)
    else printLine(`${retired.name} is expected no more; its next delivery makes it expected again`)
  })
}
