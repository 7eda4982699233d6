import { type Command, InvalidArgumentError } from 'commander'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'

export function addGateCommands(program: Command): void {
  const gate = program.command('gate').description('switch readers of a site on and off')

  withCommonOptions(
    gate.command('list').description('list the gates of a site').argument('<site>', 'domain or id'),
  ).action(async (site: string, options: CommonOptions) => {
    const { gates } = await reached(options, (way) => way.run('gate.list', { site }))
    if (options.json) return printJson({ gates })
    printTable(
      ['GATE', 'STATE', 'MEANS'],
      gates.map((row) => [row.name, row.is_open ? 'on' : 'off', row.about]),
    )
  })

  withCommonOptions(
    gate
      .command('set')
      .description('switch a gate; what it decided before comes back exactly when it is switched back')
      .argument('<site>', 'domain or id')
      .argument('<gate>', 'as gate list shows it')
      .argument('<state>', 'on or off', isOpen),
  ).action(async (site: string, name: string, is_open: boolean, options: CommonOptions) => {
    const set = await reached(options, (way) => way.run('gate.set', { site, gate: name, is_open }))
    if (options.json) return printJson(set)
    printLine(`${set.name} of ${set.root_domain} is ${set.is_open ? 'on' : 'off'}`)
    if (set.assigned.length > 0) printAssignments(set.assigned)
  })
}

export function addAuthorityCommands(program: Command): void {
  const authority = program.command('authority').description('say which source counts which host')

  withCommonOptions(
    authority.command('list').description('list the assignments of a site').argument('<site>', 'domain or id'),
  ).action(async (site: string, options: CommonOptions) => {
    const listed = await reached(options, (way) => way.run('authority.list', { site }))
    if (options.json) return printJson(listed)
    if (listed.assignments.length === 0) {
      return printLine(
        'No host is assigned. Opening the gate assigns them: spoor gate set SITE crawler_authority_v2 on',
      )
    }
    printAssignments(listed.assignments)
    for (const { source_id, effective_at, ends_at } of listed.interruptions) {
      printLine(`Source ${source_id} was disconnected: gaps from ${effective_at} to ${ends_at ?? 'its reconnection'}`)
    }
  })

  withCommonOptions(
    authority
      .command('assign')
      .description('let one source count a host from a UTC day on')
      .argument('<site>', 'domain or id')
      .argument('<host>', 'for example www.example.com')
      .argument('<source>', 'id, name, or type where the site has one of it')
      .requiredOption('--from <day>', 'first UTC day, for example 2026-03-01'),
  ).action(
    async (site: string, host: string, source: string, { from, ...options }: CommonOptions & { from: string }) => {
      const made = await reached(options, (way) => way.run('authority.assign', { site, host, source, from }))
      if (options.json) return printJson(made)
      printLine(`${made.hostname} counts from ${made.provider} (${made.source_id}) from ${made.effective_day} on`)
    },
  )
}

interface Listed {
  hostname: string
  effective_day: string
  provider: string
  source_id: string
}

function printAssignments(assignments: readonly Listed[]): void {
  const table = assignments.map((row) => [row.hostname, row.effective_day, row.provider, row.source_id])
  printTable(['HOST', 'FROM', 'COUNTS FROM', 'SOURCE'], table)
}

function isOpen(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('Give on or off.')
}
