import { compileRegistry, type Registry } from './classify.ts'
import type { RegistryDocument } from './document.ts'
import { readRegistry } from './read-document.ts'
import registry from './registry.json' with { type: 'json' }

/** The registry that this release ships, checked like any other. */
export const builtInDocument: RegistryDocument = readRegistry(registry)

/** The shipped registry ready for use; compiles anew each time, so call it once. */
export function readBuiltInRegistry(): Registry {
  return compileRegistry(builtInDocument)
}
