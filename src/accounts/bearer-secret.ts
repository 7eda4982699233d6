import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

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

/** SHA-256 of the whole secret, in lower-case hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Whether two hashes are the same, in a time that reveals nothing about where they differ. */
export function isSameHash(stored: string, computed: string): boolean {
  const [a, b] = [Buffer.from(stored), Buffer.from(computed)]
  return a.length === b.length && timingSafeEqual(a, b)
}
