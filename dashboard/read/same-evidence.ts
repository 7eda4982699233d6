import type { Meta } from '../../src/contract/site-api/index.ts'

/** Panels are read one by one, so that an update between two of them can make them differ. Null: they agree. */
export function differenceWords(metas: readonly (Meta | undefined)[]): string | null {
  const read = metas.filter((meta) => meta !== undefined)
  const versions = new Set(read.map(({ registry_version }) => registry_version))
  if (versions.size < 2) return null
  const times = read.map(({ as_of }) => Date.parse(as_of))
  const seconds = Math.max(1, Math.round((Math.max(...times) - Math.min(...times)) / 1_000))
  return `Panels were read ${seconds} s apart, with different registries.`
}
