/** Writes the generated files that are committed; with `--check` it only reports whether they are up to date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountApiDocument } from '#surfaces/http/reference/account-api.ts'
import { siteApiDocument } from '#surfaces/http/reference/site-api.ts'
import { trackerScript } from './build-tracker.ts'
import { configurationPage } from './configuration.ts'
import { dashboard } from './dashboard.ts'
import { doctorPage } from './doctor.ts'
import { licencesPage } from './licences.ts'

/** Path in the repository, and what should be there. The contact is the installation's own, so it is left out here. */
const generated: readonly (readonly [string, string])[] = [
  ['docs/api/site-api.json', `${JSON.stringify(siteApiDocument(null), null, 2)}\n`],
  ['docs/api/account-api.json', `${JSON.stringify(accountApiDocument(null), null, 2)}\n`],
  ['docs/configuration.md', configurationPage()],
  ['docs/licences.md', licencesPage()],
  ['docs/operating/doctor.md', doctorPage()],
  ['docs/operating/grafana-dashboard.json', dashboard()],
  ['tracker/dist/spoor.js', await trackerScript()],
]

const checks_only = process.argv.includes('--check')
for (const [path, content] of generated) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present === content) continue
  if (checks_only) {
    console.error(`${path} is stale; run: npm run generate`)
    process.exitCode = 1
    continue
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  console.log(`wrote ${path}`)
}
