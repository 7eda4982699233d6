/** What the whole run shares (shared-setup.ts). */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where it is asked for. */
    shared: string
  }
}

/** The URL of the run's PostgreSQL, directly or through pgbouncer, or the folder of stores that are copied. */
export async function askForShared(what: 'postgres' | 'pgbouncer' | 'stores'): Promise<string> {
  const response = await fetch(`${inject('shared')}/${what}`)
  const said = await response.text()
  if (!response.ok) throw new Error(said)
  return said
}

let folder: Promise<string> | undefined

/**
 * Puts an empty store with the newest layout at `place`, because laying out each one takes longer, on a slow disk much
 * longer.
 */
export async function copyStore(store: 'control.sqlite' | 'evidence', place: string): Promise<void> {
  folder ??= askForShared('stores')
  cpSync(join(await folder, store), place, { recursive: true })
}
