/** Seals what must be stored and given back, such as a provider's token (decisions 3.7). The rest is hashed. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Config } from '#config.ts'
import { Refusal } from '#refusal.ts'
import { findKey, makeKey } from './key.ts'

export interface SecretBox {
  /**
   * A text as printable ASCII that only this key opens, and only for the same `context`: what it is and whose, for
   * example `source:ID:cloudflare_token`. The same text is sealed differently each time.
   */
  seal(text: string, context: string): string
  /** @throws Refusal not_readable: sealed with another key, for another context, or damaged. */
  open(sealed: string, context: string): string
  /** False if the text was sealed with another key, or if there is no key. */
  isSealedWithOwnKey(sealed: string): boolean
}

/** Which key a secret box of this folder uses, without revealing the key; null: none was made yet. */
export function findKeyName(folder: string, { secret_key }: Pick<Config, 'secret_key'>): string | null {
  const key = findKey(folder, secret_key)
  return key === null ? null : nameOf(key)
}

const VERSION = 'v1'
const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The box of an installation. Its key is SPOOR_SECRET_KEY, else `secret.key` in the data folder, which the first seal
 * makes. Sealed text reads `v1.KEY.NONCE.CIPHERTEXT`: KEY says which key it was, without revealing the key; the rest is
 * base64url.
 */
export function openSecretBox(folder: string, { secret_key }: Pick<Config, 'secret_key'>): SecretBox {
  let found: Buffer | null = null
  const key = () => {
    found ??= findKey(folder, secret_key)
    return found
  }
  return {
    seal(text, context) {
      found = key() ?? makeKey(folder)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, found, nonce).setAAD(bound(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, nameOf(found), nonce.toString('base64url'), body.toString('base64url')].join('.')
    },
    open(sealed, context) {
      const [, name, nonce, body] = FORM.exec(sealed) ?? []
      if (name === undefined || nonce === undefined || body === undefined) throw damaged()
      const held = key()
      if (held === null || nameOf(held) !== name) throw otherKey(held, secret_key !== null)
      return decrypt(held, Buffer.from(nonce, 'base64url'), Buffer.from(body, 'base64url'), context)
    },
    isSealedWithOwnKey(sealed) {
      const held = key()
      return held !== null && FORM.exec(sealed)?.[1] === nameOf(held)
    },
  }
}

const FORM = /^v1\.([\w-]{11})\.([\w-]{16})\.([\w-]{22,})$/

function decrypt(key: Buffer, nonce: Buffer, body: Buffer, context: string): string {
  const at = body.length - TAG_BYTES
  const cipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(bound(context)).setAuthTag(body.subarray(at))
  const text = cipher.update(body.subarray(0, at))
  try {
    return Buffer.concat([text, cipher.final()]).toString('utf8')
  } catch {
    // The tag does not fit, which is all that can fail here.
    throw damaged()
  }
}

/** Version and context are authenticated with the text, so a sealed text cannot be moved to another place. */
const bound = (context: string) => Buffer.from(`spoor ${VERSION} ${context}`)

const nameOf = (key: Buffer) =>
  createHmac('sha256', key).update('spoor key name').digest().subarray(0, 8).toString('base64url')

function otherKey(held: Buffer | null, is_configured: boolean): Refusal {
  const other = `${is_configured ? 'SPOOR_SECRET_KEY' : 'secret.key in the data folder'} is another`
  const has = held === null ? 'there is none here' : other
  return new Refusal(
    'not_readable',
    `A stored secret was sealed with a key that this service does not have: ${has}. Set SPOOR_SECRET_KEY to that key, or put ` +
      'back the file secret.key that was in the data folder (backups do not hold it). If the key is lost, enter the secret again.',
  )
}

const damaged = () =>
  new Refusal('not_readable', 'A stored secret is damaged, or was stored for something else. Enter the secret again.')
