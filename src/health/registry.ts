import { DAY_MS } from '#clock.ts'
import { readSetting } from '#control/settings.ts'
import { REGISTRY_VERSION } from '#crawlers/registry/registry-store.ts'
import { compareVersions } from '#crawlers/registry/version.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

const OLD_DAYS = 180

/** Checks that a registry version is in force, that it is the newest, and that it is not old. */
export async function checkRegistry({ control, clock }: DiagnosticContext): Promise<Finding> {
  const version = await readSetting(control.db, REGISTRY_VERSION)
  if (version === null) return finding('registry_missing', 'No registry version is in force.')
  const loaded = await control.db.selectFrom('registry_versions').select('version').execute()
  const newest = loaded.map((row) => row.version).reduce((a, b) => (compareVersions(a, b) < 0 ? b : a), version)
  if (newest !== version) return finding('registry_behind', `${version} is in force, ${newest} is loaded.`)
  const days = Math.floor((clock.now() - dayStart(version.slice(0, 10))) / DAY_MS)
  if (days > OLD_DAYS) return finding('registry_old', `${version} is in force, ${days} days old.`)
  return finding('registry', `${version} is in force.`)
}
