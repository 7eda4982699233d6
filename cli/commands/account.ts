import { countOf, formatCount } from '#quantities.ts'
import { group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { wholeNumberBetween } from '../input/argument-values.ts'
import { argument } from '../input/parameters.ts'
import { lines } from '../output.ts'

export const accountCommands = group('account', 'show the account, suspend and activate it', [
  operation('account.show', 'show status, access, people and sites', {
    text(account) {
      const shown = Object.entries(account).filter(([, value]) => value !== null)
      const width = Math.max(...shown.map(([name]) => name.length))
      return lines(
        ...shown.map(
          ([name, value]) => `${name.padEnd(width)}  ${typeof value === 'number' ? formatCount(value) : value}`,
        ),
      )
    },
  }),
  operation('account.suspend', 'refuse every key of the account; evidence is still accepted', {
    text: ({ name }) => `${name} is suspended. ${asTypedHere('To activate it: spoor account activate')}`,
  }),
  operation('account.set_question_limit', 'set how many active questions the account may have', {
    parameters: { limit: argument('<limit>', 'a number; 100 at first', wholeNumberBetween(0, 10_000)) },
    text: ({ name, active_question_limit }) => `${name} may have ${countOf(active_question_limit, 'active question')}`,
  }),
  operation('account.activate', 'accept the keys of the account again', {
    text: ({ name }) => `${name} is active`,
  }),
])
