/** Fails when a dependency has a licence that may not be shipped, or that a tool may not have. */
import { existsSync, readFileSync } from 'node:fs'
import { listLicences, lockedPackages, refusedLicences } from './licences.ts'

const licensed = listLicences(lockedPackages())
for (const { name, version, licence, use } of refusedLicences(licensed)) {
  console.error(`${name} ${version} (${use}) is under ${licence}, which scripts/licences.ts does not allow there.`)
  process.exitCode = 1
}

// Every package that the build found in the dashboard must be in the list for the page.
const carried = licensed.filter(({ use }) => use !== 'tool').map(({ name, version }) => `${name} - ${version}`)
const built = new URL('../dashboard/dist/licences.md', import.meta.url)
const found = existsSync(built) ? [...readFileSync(built, 'utf8').matchAll(/^## (\S+ - \S+)/gm)] : []
for (const [, each] of found) {
  if (carried.includes(each as string)) continue
  console.error(`${each} is in the dashboard: add what needs it to IN_THE_DASHBOARD of scripts/licences.ts.`)
  process.exitCode = 1
}
if (found.length === 0) {
  console.error('dashboard/dist/licences.md names no package: build the dashboard first, as npm ci does.')
  process.exitCode = 1
}
