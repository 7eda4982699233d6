import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#refusal.ts'

/** A secret shown once: its kind and 256 random bits in base64url; only its hash and prefix are kept (decisions 2). */
export interface BearerSecret {
  secret: string
  prefix: string
  secret_sha256: string
}

/** One kind of secret, recognized by its beginning, so that a secret of one kind opens nothing of another kind. */
export interface SecretKind {
  draw(): BearerSecret
  /** False for another kind, a cut one, or anything else. */
  looksLike(text: string): boolean
}

/** Shows the kind and 8 of the 43 random characters: enough to distinguish secrets, and 208 bits stay unknown. */
export function secretKind(kind: string): SecretKind {
  const form = new RegExp(`^${RegExp.escape(kind)}[A-Za-z0-9_-]{43}$`)
  return {
    draw() {
      const secret = kind + randomBytes(32).toString('base64url')
      return { secret, prefix: secret.slice(0, kind.length + 8), secret_sha256: hashSecret(secret) }
    },
    looksLike: (text) => form.test(text),
  }
}

/** The only time that a secret is shown (spec 5). */
export interface IssuedSecret {
  id: string
  secret: string
  prefix: string
}

/**
 * The secret that a text names: by its id, its prefix, or as a whole.
 * @throws Refusal `unknown`; conflict when a prefix fits several.
 */
export function pickIssued<Row extends { id: string; prefix: string; secret_sha256: string }>(
  rows: readonly Row[],
  text: string,
  { what, unknown }: { what: 'key' | 'token'; unknown: Refusal },
): Row {
  const [id, hash] = [text.toLowerCase(), hashSecret(text)]
  const [first, second] = rows.filter((row) => row.id === id || row.prefix === text || row.secret_sha256 === hash)
  if (first === undefined) throw unknown
  if (second === undefined) return first
  throw new Refusal('conflict', `Several ${what}s have that prefix: address the ${what} by its id.`)
}

/** What is shown of a stored secret: everything but its hash. */
export function withoutHash<Row extends { secret_sha256: string }>(row: Row): Omit<Row, 'secret_sha256'> {
  const { secret_sha256: _hash, ...shown } = row
  return shown
}

/** SHA-256 of the whole secret, in lower-case hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Whether two hashes are the same, in a time that reveals nothing about where they differ. */
export function isSameHash(stored: string, computed: string): boolean {
  const [a, b] = [Buffer.from(stored), Buffer.from(computed)]
  return a.length === b.length && timingSafeEqual(a, b)
}
