import { VARIABLES } from '#config/variables.ts'

/** Generates docs/configuration.md from the declared variables. */
export function configurationPage(): string {
  const rows = Object.entries(VARIABLES).map(([name, declared]) => {
    const preset = declared.default === '' ? 'none' : `\`${declared.default}\``
    return `| \`${name}\` | ${preset} | ${allowed(declared)} | ${declared.description} |`
  })
  return `# Configuration

Generated from \`src/config/variables.ts\`: edit that file and run \`npm run generate\`.
Settings are environment variables; an empty value counts as not set.

| variable | default | allowed | what it does |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}

function allowed(declared: (typeof VARIABLES)[keyof typeof VARIABLES]): string {
  if ('choices' in declared) return declared.choices.join(', ')
  if ('minimum' in declared) return `${'zero' in declared ? '0, ' : ''}${declared.minimum} to ${declared.maximum}`
  if ('addresses' in declared) return 'addresses and networks, separated by commas'
  if ('ports' in declared) return 'ports, separated by commas'
  return declared.form
}
