/** Gates of a site, and which source counts which of its hosts. */

import type { ManagementOutput } from '#contract/management-api/index.ts'
import { OTHER_HOSTS } from '#intake/facts/host-limit.ts'
import { gateName } from '#sites/gates.ts'
import { judgedBy } from '../bad-usage.ts'
import { group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { readOnOff } from '../input/argument-values.ts'
import { argument, required } from '../input/parameters.ts'
import { readHostName, readUtcDay } from '../input/value-forms.ts'
import { lines, table } from '../output.ts'
import { siteArgument as site } from './site.ts'

export const gateCommands = group('gate', 'switch optional ways of counting for a site on and off', [
  operation('gate.list', 'list the gates of a site', {
    parameters: { site },
    text: ({ gates }) => table(gates, { GATE: 'name', STATE: (row) => onOrOff(row.is_open), MEANS: 'about' }),
  }),
  operation('gate.set', 'switch a gate on or off; switching back restores the earlier answers exactly', {
    parameters: {
      site,
      gate: argument('<gate>', 'as gate list shows it', judgedBy(gateName)),
      is_open: argument('<state>', 'on or off', readOnOff),
    },
    text: ({ name, root_domain, is_open, assigned }) =>
      lines(
        `${name} of ${root_domain} is ${onOrOff(is_open)}`,
        assigned.length === 0 ? null : assignmentTable(assigned),
      ),
  }),
])

export const authorityCommands = group('authority', 'choose which source counts which host', [
  operation('authority.list', 'list the assignments of a site', {
    parameters: { site },
    text: ({ assignments, interruptions }) =>
      assignments.length === 0
        ? asTypedHere('No host is assigned. Opening the gate assigns them: spoor gate set SITE crawler_authority_v2 on')
        : lines(assignmentTable(assignments), ...interruptions.map(interruptionText)),
  }),
  operation('authority.assign', 'let one source count a host from a UTC day on', {
    parameters: {
      site,
      host: argument('<host>', 'for example www.example.com', (text) =>
        text === OTHER_HOSTS ? text : readHostName(text),
      ),
      source: argument('<source>', 'its id or name, or its type if the site has only one of that type'),
      from: required('--from <day>', 'first UTC day, for example 2026-03-01', readUtcDay),
    },
    text: ({ hostname, provider, source_id, effective_day }) =>
      `${provider} (${source_id}) counts ${hostname} from ${effective_day} on`,
  }),
])

type Listed = ManagementOutput<'authority.list'>

const onOrOff = (is_open: boolean) => (is_open ? 'on' : 'off')

function assignmentTable(assignments: Listed['assignments']): string {
  return table(assignments, { HOST: 'hostname', FROM: 'effective_day', 'COUNTS FROM': 'provider', SOURCE: 'source_id' })
}

function interruptionText({ source_id, effective_at, ends_at }: Listed['interruptions'][number]): string {
  return `Source ${source_id} was disconnected: gaps from ${effective_at} to ${ends_at ?? 'its reconnection'}`
}
