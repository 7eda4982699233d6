import { formatCount } from '#quantities.ts'
import { group, operation } from './command.ts'
import { lines } from './output.ts'
import { asTypedHere } from './program-name.ts'

export const accountCommands = group('account', 'show the account, suspend and activate it', [
  operation('account.show', 'show status, access, people and sites', {
    text: (account) =>
      lines(
        ...Object.entries(account).map(
          ([name, value]) => `${name.padEnd(10)}  ${typeof value === 'number' ? formatCount(value) : value}`,
        ),
      ),
  }),
  operation('account.suspend', 'refuse every key of the account; evidence is still taken', {
    text: ({ name }) => `${name} is suspended. ${asTypedHere('To end that: spoor account activate')}`,
  }),
  operation('account.activate', 'accept the keys of the account again', {
    text: ({ name }) => `${name} is active`,
  }),
])
