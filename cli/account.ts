import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine } from './output.ts'
import { reached } from './site.ts'

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('show the account, suspend and activate it')

  withCommonOptions(account.command('show').description('show status, access, people and sites')).action(
    async (options: CommonOptions) => {
      const shown = await reached(options, (way) => way.run('account.show', {}))
      if (options.json) return printJson(shown)
      for (const [name, value] of Object.entries(shown)) printLine(`${name.padEnd(10)}  ${value}`)
    },
  )

  withCommonOptions(
    account.command('suspend').description('refuse every key of the account; evidence is still taken'),
  ).action(async (options: CommonOptions) => {
    const suspended = await reached(options, (way) => way.run('account.suspend', {}))
    if (options.json) printJson(suspended)
    else printLine(`${suspended.name} is suspended. To end that: spoor account activate`)
  })

  withCommonOptions(account.command('activate').description('let the keys of the account in again')).action(
    async (options: CommonOptions) => {
      const active = await reached(options, (way) => way.run('account.activate', {}))
      if (options.json) printJson(active)
      else printLine(`${active.name} is active`)
    },
  )
}
