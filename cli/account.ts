import { group, operation } from './command.ts'
import { lines } from './output.ts'

export const accountCommands = group('account', 'show the account, suspend and activate it', [
  operation('account.show', 'show status, access, people and sites', {
    text: (account) => lines(...Object.entries(account).map(([name, value]) => `${name.padEnd(10)}  ${value}`)),
  }),
  operation('account.suspend', 'refuse every key of the account; evidence is still taken', {
    text: ({ name }) => `${name} is suspended. To end that: spoor account activate`,
  }),
  operation('account.activate', 'accept the keys of the account again', {
    text: ({ name }) => `${name} is active`,
  }),
])
