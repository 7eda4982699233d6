/**
 * For CI: which files took longest, which tests passed only when they were repeated, and how long everything took
 * beside the budget. Machines are noisy, so it fails nothing.
 */
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 15
/** On two cores. */
const BUDGET_SECONDS = { 'npm test': 240, '.ci/run': 600 }

export default class SlowestFiles implements Reporter {
  readonly #started = performance.now()

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { duration, setupDuration, prepareDuration, collectDuration } = module.diagnostic()
      const took_ms = duration + setupDuration + prepareDuration + collectDuration
      return { name: `${module.project.name} ${relative('', module.moduleId)}`, took_ms }
    })
    files.sort((a, b) => b.took_ms - a.took_ms)
    const shown = files.slice(0, SHOWN).map(({ name, took_ms }) => `${seconds(took_ms).padStart(8)}  ${name}`)
    console.log(`\nThe slowest of ${files.length} files:\n${shown.join('\n')}`)
    const flaky = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.diagnostic()?.flaky)
    if (flaky.length > 0) {
      const named = flaky.map((test) => `  ${relative('', test.module.moduleId)}: ${test.fullName}`)
      console.log(`Failed once and passed when repeated; each has a race to be found:\n${named.join('\n')}`)
    }
    const isSlow = modules.some((module) => module.project.name === 'slow')
    const budget = isSlow ? '' : ` of ${BUDGET_SECONDS['npm test']} s for npm test`
    console.log(`This run: ${seconds(performance.now() - this.#started)}${budget}`)
    const began = Number(process.env.CI_STARTED_AT)
    if (began > 0) {
      console.log(`.ci/run so far: ${seconds(Date.now() - began * 1_000)} of ${BUDGET_SECONDS['.ci/run']} s`)
    }
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
