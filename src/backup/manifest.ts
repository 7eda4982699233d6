/** The manifest of a backup, and whether this Spoor can restore it. */
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { Refusal } from '#refusal.ts'
import { foreignFile } from './foreign-file.ts'

export const MANIFEST = 'spoor-backup.json'
export const CONTROL = 'control.sqlite'
export const EVIDENCE = 'evidence'
/** The last file of the archive, in the form of `sha256sum --check`. */
export const CHECKSUMS = 'checksums.txt'

const FORMAT = 1

const Manifest = Type.Object({
  format: Type.Integer(),
  spoor: Type.String(),
  created_at: Type.String(),
  control_layout: Type.Array(Type.String()),
  evidence_layout: Type.Integer({ minimum: 1 }),
})
export type Manifest = Static<typeof Manifest>

/** The layouts that this Spoor knows. */
export interface Layouts {
  control: readonly string[]
  evidence: number
}

/** The bytes of the manifest. */
export function writeManifest(manifest: Omit<Manifest, 'format'>): Buffer {
  return Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`)
}

/** @throws Refusal not_readable: no manifest of Spoor, or one of a newer Spoor. */
export function readManifest(file: string, bytes: Buffer, known: Layouts): Manifest {
  const manifest = parse(bytes)
  if (!Value.Check(Manifest, manifest)) throw foreignFile(file)
  const newer = manifest.control_layout.filter((name) => !known.control.includes(name))
  if (manifest.format > FORMAT || newer.length > 0 || manifest.evidence_layout > known.evidence) {
    throw new Refusal(
      'not_readable',
      `${file} was made by a newer Spoor (${manifest.spoor}) with layouts that this one does not know. Restore it with that version or a later one; nothing was changed`,
    )
  }
  return manifest
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
