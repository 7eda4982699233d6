import { describe, expect, test } from 'vitest'
import { transportOptions } from '#alerts/mailer.ts'
import { readSmtpUrl } from '#config/smtp-url.ts'
import { readConfig } from '#config.ts'

describe('the URL of an SMTP server', () => {
  test('names host, port, encryption and sign-in', () => {
    expect(readSmtpUrl('smtp://mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      auth: null,
    })
    expect(readSmtpUrl('smtps://me%40here:p%2Fw%3A@[2001:db8::1]:4650/')).toEqual({
      host: '2001:db8::1',
      port: 4650,
      secure: true,
      auth: { user: 'me@here', pass: 'p/w:' },
    })
    expect(readSmtpUrl('smtps://mail.example.com')).toMatchObject({ port: 465, secure: true })
  })

  test.each(['smtp://', 'http://mail.example.com', 'smtp://mail:99999', 'smtp://me:%ff@mail', 'mail.example.com:25'])(
    '%s is none',
    (text) => {
      expect(readSmtpUrl(text)).toBeNull()
    },
  )

  test('is refused by the configuration without showing its password, and needs a sender', () => {
    const from = { SPOOR_SMTP_FROM: 'spoor@example.com' }
    for (const url of ['smtp://me:hush@mail:99999', 'smtp://me:%ffhush@mail', 'imap://me:hush@mail'])
      expect(() => readConfig({ SPOOR_SMTP_URL: url, ...from })).toThrow(/^(?!.*hush).*SPOOR_SMTP_URL is malformed/)
    expect(() => readConfig({ SPOOR_SMTP_URL: 'smtp://mail' })).toThrow(
      /SPOOR_SMTP_FROM is not set; with SPOOR_SMTP_URL/,
    )
    expect(readConfig({ SPOOR_SMTP_URL: 'smtp://mail', ...from }).smtp).toMatchObject({
      host: 'mail',
      from: 'spoor@example.com',
    })
    expect(readConfig(from).smtp).toBeNull()
  })

  test('with a password asks for TLS, except on the machine itself', () => {
    const required = (url: string) => transportOptions(readSmtpUrl(url) ?? expect.fail()).requireTLS
    expect(required('smtp://me:pw@mail.example.com')).toBe(true)
    expect(required('smtp://mail.example.com')).toBe(false)
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) expect(required(`smtp://me:pw@${host}`)).toBe(false)
    expect(required('smtp://me:pw@127.example.com')).toBe(true)
  })
})
