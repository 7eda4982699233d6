import { compileRegistry, type Registry } from './classify.ts'
import type { RegistryDocument } from './document.ts'
import { readRegistry } from './read-document.ts'
import registry from './registry.json' with { type: 'json' }

/** The registry of this release, checked like any other. */
export const builtInDocument: RegistryDocument = readRegistry(registry)

/** The compiled registry of this release. Each call compiles it again, so call it once. */
export function readBuiltInRegistry(): Registry {
  return compileRegistry(builtInDocument)
}
