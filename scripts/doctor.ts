import { type Circumstance, FINDINGS, type FindingCode } from '#health/findings.ts'
import { ADVICE_IN, adviceFor } from '#surfaces/finding-advice.ts'

/** Generates docs/operating/doctor.md from all findings of the doctor. */
export function doctorPage(): string {
  const rows = Object.entries(FINDINGS).map(
    ([code, { level, means }]) => `| \`${code}\` | ${level} | ${means} | ${adviceFor(code as FindingCode)} |`,
  )
  const special = Object.entries(ADVICE_IN).flatMap(([circumstance, advice]) =>
    Object.entries(advice).map(([code, text]) => `| \`${code}\` | ${WHERE[circumstance as Circumstance]} | ${text} |`),
  )
  return `# spoor doctor

Generated from \`src/health/findings.ts\` and \`src/surfaces/finding-advice.ts\`: edit them and run \`npm run generate\`.

\`spoor doctor\` checks configuration, data folder, stores, registry, sources, trackers, left-over work and clocks. It asks the
running server, or opens the data folder itself when none runs. With \`--cluster\` it verifies the servers of SPOOR_CLICKHOUSE_URL instead
(docs/operating/clickhouse.md). \`--json\` prints \`{ok, findings: [{code, level, message, advice}]}\`.
The exit code is 1 when any finding is a \`fail\`, else 0. Codes are stable, so scripts may use them.

| code | level | when | advice |
| --- | --- | --- | --- |
${rows.join('\n')}

Where the usual advice does not help, another one takes its place:

| code | where | advice |
| --- | --- | --- |
${special.join('\n')}
`
}

const WHERE: Record<Circumstance, string> = {
  simulated_clock: 'under `--clock`',
  offline: 'without internet: every published list failed to load',
}
