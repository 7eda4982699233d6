import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { AtOnce } from '#concurrency/at-once.ts'
import { isVisible } from '#names.ts'
import { Refusal } from '#refusal.ts'

const LEAST = 12
const MOST = 200

/**
 * RFC 9106, the second recommended choice: 64 MiB, three passes, four lanes, and a tag of 256 bits. Tests that are not
 * about it set less (test/support/password-cost.ts).
 */
export const COST = { memory: 65_536, passes: 3, parallelism: 4, tagLength: 32 }
const SALT_BYTES = 16

/**
 * A password as it is stored: argon2id in the PHC string format, its parameters and a salt of its own beside the tag.
 * @throws Refusal invalid_input when it has not 12 to 200 characters; store_busy when too many passwords are checked.
 */
export async function hashPassword(password: string): Promise<string> {
  const message = readPassword(password)
  const salt = randomBytes(SALT_BYTES)
  const tag = await derive({ ...COST, message, nonce: salt })
  return stored(salt, tag)
}

/** Of no password, at the cost of a real one. */
export function hashOfNobody(): string {
  return stored(Buffer.alloc(SALT_BYTES), Buffer.alloc(COST.tagLength))
}

function stored(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${phc(salt)}$${phc(tag)}`
}

/**
 * Whether the password is the stored one, compared in constant time, by the parameters that are stored with it.
 * @throws Refusal store_busy when too many passwords are checked.
 */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(stored) ?? []
  if (salt === undefined || tag === undefined) throw new Error('The stored password has an unknown form.')
  const expected = Buffer.from(tag, 'base64')
  const computed = await derive({
    message: normalize(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(expected, computed)
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function readPassword(password: string): string {
  const normalized = normalize(password)
  if (normalized !== '' && !isVisible(normalized)) {
    throw new Refusal(
      'invalid_input',
      `The password is blank; choose one of ${LEAST} to ${MOST} characters with visible ones among them, for example four or more words.`,
    )
  }
  const characters = [...normalized].length
  if (characters >= LEAST && characters <= MOST && password.isWellFormed()) return normalized
  throw new Refusal(
    'invalid_input',
    `The password has ${characters} characters; choose one of ${LEAST} to ${MOST} characters, for example four or more words.`,
  )
}

/** The same characters typed on another machine are the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

/** Each takes 64 MiB, so there are two at a time; the others wait in their order (decisions 2). */
const hashing = new AtOnce(2)

/**
 * Tries to sign in are limited for each client, not for all clients together. With more waiting, a person would wait
 * for over ten seconds.
 */
const MAX_WAITING = 100

/** @throws Refusal store_busy: too many others wait. */
async function derive(parameters: Argon2Parameters): Promise<Buffer> {
  if (hashing.waiting >= MAX_WAITING) {
    throw new Refusal('store_busy', 'Too many people are signing in at this moment. Try again in a few seconds.')
  }
  return hashing.run(
    () =>
      new Promise((resolve, reject) => {
        argon2('argon2id', parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)))
      }),
  )
}

function phc(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
