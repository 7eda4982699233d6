/** The registry versions of this installation, and the one that labels answers now (spec 9.5). */
import { createHash } from 'node:crypto'
import type { Clock } from '#clock.ts'
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { builtInDocument } from './built-in.ts'
import { compileRegistry, type Registry } from './classify.ts'
import { type StoredAdoption, storeAdoption } from './last-adoption.ts'
import { readRegistry } from './read-document.ts'
import { compareVersions } from './version.ts'

export const REGISTRY_VERSION = 'registry_version'

export interface RegistryStore {
  /** The compiled registry of a version. @throws Refusal not_found: this installation never loaded it. */
  open(version: string): Promise<Registry>
  /** The version in force, which labels answers. */
  current(): Promise<Registry>
}

/** Compiled versions are cached, because a loaded version never changes. */
export function openRegistryStore(control: ControlStore): RegistryStore {
  const compiled = new Map<string, Registry>()
  const open = async (version: string): Promise<Registry> => {
    const known = compiled.get(version)
    if (known !== undefined) return known
    const row = await control.db
      .selectFrom('registry_versions')
      .select('document')
      .where('version', '=', version)
      .executeTakeFirst()
    if (row === undefined)
      throw new Refusal(
        'not_found',
        `registry version ${quoted(version)} is not loaded here: {next} lists the loaded ones`,
        { next: { step: 'registry.show' } },
      )
    const registry = compileRegistry(readRegistry(JSON.parse(row.document)))
    compiled.set(version, registry)
    return registry
  }
  return {
    open,
    async current() {
      const version = await readSetting(control.db, REGISTRY_VERSION)
      if (version === null) throw new Error('no registry version is in force: prepareEvidence() has not run')
      return open(version)
    },
  }
}

/** The newest built-in version that was in force here. One that the operator replaced does not return by itself. */
const ADOPTED_VERSION = 'registry_adopted'

/** Stores the built-in registry. Returns its version if it should come into force, until `takeOver` has run. */
export async function storeBuiltInRegistry(control: ControlStore, clock: Clock): Promise<string | null> {
  const document = JSON.stringify(builtInDocument)
  const { version } = readRegistry(builtInDocument)
  return control.transaction(async (tx) => {
    const known = await tx
      .selectFrom('registry_versions')
      .select('version')
      .where('version', '=', version)
      .executeTakeFirst()
    if (known === undefined) {
      const sha256 = createHash('sha256').update(document).digest('hex')
      await tx.insertInto('registry_versions').values({ version, document, sha256, loaded_at: clock.now() }).execute()
    }
    const current = await readSetting(tx, REGISTRY_VERSION)
    const adopted = await readSetting(tx, ADOPTED_VERSION)
    if (adopted !== null && compareVersions(version, adopted) <= 0) return null
    return current === null || compareVersions(version, current) > 0 ? version : null
  })
}

/** Puts a built-in version in force; its labels must be written before. */
export async function takeOver(control: ControlStore, version: string): Promise<void> {
  await control.transaction(async (tx) => {
    await writeSetting(tx, REGISTRY_VERSION, version)
    await writeSetting(tx, ADOPTED_VERSION, version)
  })
}

/**
 * Puts a version in force with one write; its labels must be written before (decisions 3.3). Its changes are stored
 * with it, unless no comparison was made.
 */
export async function useRegistryVersion(
  control: ControlStore,
  version: string,
  adoption: StoredAdoption | null = null,
): Promise<void> {
  await control.transaction(async (tx) => {
    await writeSetting(tx, REGISTRY_VERSION, version)
    if (adoption !== null) await storeAdoption(tx, adoption)
  })
}
