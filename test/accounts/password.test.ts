import { afterEach, describe, expect, test } from 'vitest'
import { normalizeEmail } from '#accounts/email.ts'
import { hashOfNobody, hashPassword, verifyPassword } from '#accounts/password.ts'
import { lowerPasswordCost, restorePasswordCost } from '../support/password-cost.ts'

const WORDS = 'correct horse battery'

describe('a password at rest', () => {
  afterEach(lowerPasswordCost)

  test('is argon2id with its parameters and its own salt, and never the password', async () => {
    restorePasswordCost()
    const [one, two] = await Promise.all([hashPassword(WORDS), hashPassword(WORDS)])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=4\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(two)
    expect(one).not.toContain('horse')
    expect(await verifyPassword(one, WORDS)).toBe(true)
    expect(await verifyPassword(two, WORDS)).toBe(true)
    expect(await verifyPassword(one, `${WORDS} `)).toBe(false)
    expect(await verifyPassword(one, '')).toBe(false)
  })

  test('costs as much to compare if no person has the address', async () => {
    restorePasswordCost()
    const of_nobody = hashOfNobody()
    expect(of_nobody).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=4\$A{22}\$A{43}$/)
    expect(await verifyPassword(of_nobody, WORDS)).toBe(false)
  })

  test('is not compared while a hundred others wait, and is again once they are done', async () => {
    const stored = await hashPassword(WORDS)
    const all = await Promise.allSettled(Array.from({ length: 103 }, () => verifyPassword(stored, WORDS)))
    expect(all.slice(0, 102).every((one) => one.status === 'fulfilled' && one.value)).toBe(true)
    expect(all[102]).toMatchObject({ reason: { kind: 'store_busy', message: expect.stringContaining('Try again') } })
    expect(await verifyPassword(stored, WORDS)).toBe(true)
  })

  test('is verified by the parameters stored with it, so that they may be raised later', async () => {
    // Computed with the reference parameters of another, cheaper choice: m=32, t=3, p=4.
    const { argon2Sync } = await import('node:crypto')
    const nonce = Buffer.from('a salt of 16 byt')
    const cost = { memory: 32, passes: 3, parallelism: 4, tagLength: 32 }
    const tag = argon2Sync('argon2id', { message: WORDS, nonce, ...cost })
    const phc = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
    const stored = `$argon2id$v=19$m=32,t=3,p=4$${phc(nonce)}$${phc(tag)}`
    expect(await verifyPassword(stored, WORDS)).toBe(true)
    expect(await verifyPassword(stored, 'correct horse batters')).toBe(false)
    await expect(verifyPassword('plain text', 'plain text')).rejects.toThrow(/has an unknown form/)
  })

  test('is the same however its characters were typed', async () => {
    const stored = await hashPassword('Zu\u0308rich liegt am See')
    expect(await verifyPassword(stored, 'Z\u00fcrich liegt am See')).toBe(true)
  })

  test.each([
    ['eleven characters', 'abcdefghijk', 11],
    ['201 characters', 'a'.repeat(201), 201],
    ['nothing', '', 0],
    ['six emoji, which are six characters', '🐾'.repeat(6), 6],
  ])('%s are refused with the number and the rule', async (_name, password, given) => {
    await expect(hashPassword(password)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(new RegExp(`has ${given} characters; choose one of 12 to 200`)),
    })
  })

  test('12 and 200 characters are accepted, half a character is not', async () => {
    for (const password of ['a'.repeat(12), '🐾'.repeat(200)]) {
      expect(await verifyPassword(await hashPassword(password), password)).toBe(true)
    }
    await expect(hashPassword(`half a pair \ud800`)).rejects.toMatchObject({ kind: 'invalid_input' })
  })
})

describe('an e-mail address', () => {
  test.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['ada+crawlers@bücher.example', 'ada+crawlers@xn--bcher-kva.example'],
    ['ada@localhost', 'ada@localhost'],
    ['Zu\u0308e@example.com', 'z\u00fce@example.com'],
  ])('%j is stored as %j', (given, stored) => {
    expect(normalizeEmail(given)).toBe(stored)
    expect(normalizeEmail(stored)).toBe(stored)
  })

  test.each([
    ...['', '@', 'ada', 'ada@', '@example.com', 'ada lovelace@example.com', 'a@b@example.com', 'ada@exa mple.com'],
    ...['ada@-example.com', 'ada@example..com', '<ada@example.com>', 'ada\u0000@example.com', 'ada\u202e@example.com'],
    ...[`${'a'.repeat(65)}@example.com`, `ada@${'a.'.repeat(125)}com`, 'a,b@example.com'],
  ])('%j is none', (given) => {
    expect(() => normalizeEmail(given)).toThrow(/not an e-mail address: give one such as/)
  })
})
