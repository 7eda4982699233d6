import { describe, expect, test } from 'vitest'
import { aiReferralOf, channelOf, type Origin } from '#tracker/acquisition/channels.ts'

const origin = (given: Partial<Origin> = {}): Origin => ({
  has_pageview: true,
  referrer_host: '',
  has_click_id: false,
  utm_source: '',
  utm_medium: '',
  ...given,
  has_utm: given.has_utm ?? Boolean(given.utm_source || given.utm_medium),
})
const channel = (given: Partial<Origin> = {}) => channelOf(origin(given), 'example.com')

describe('channels, the first that fits (rules 6)', () => {
  test.each<[string, Partial<Origin>]>([
    ['paid_search', { has_click_id: true, referrer_host: 'chatgpt.com' }],
    ['paid_search', { utm_medium: 'CPC', utm_source: 'newsletter' }],
    ['paid_search', { utm_medium: 'paid_social', referrer_host: 'l.facebook.com' }],
    ['email', { utm_medium: 'email', referrer_host: 'www.google.com' }],
    ['email', { referrer_host: 'mail.google.com' }],
    ['email', { utm_source: 'newsletter' }],
    ['email', { utm_source: 'mail.google.com' }],
    ['email', { utm_source: 'Outlook', referrer_host: 'www.google.com' }],
    ['ai_assistant', { referrer_host: 'chatgpt.com' }],
    ['ai_assistant', { referrer_host: 'gemini.google.com' }],
    ['ai_assistant', { referrer_host: 'edgeservices.bing.com' }],
    ['ai_assistant', { utm_source: 'chatgpt.com' }],
    ['ai_assistant', { utm_source: 'chatgpt.com', referrer_host: 'www.google.com' }],
    ['organic_search', { referrer_host: 'www.google.com' }],
    ['organic_search', { referrer_host: 'google.co.uk' }],
    ['organic_search', { referrer_host: 'www.bing.com' }],
    ['organic_search', { utm_medium: 'organic' }],
    ['organic_search', { utm_source: 'bing', referrer_host: 'blog.example.net' }],
    ['social', { referrer_host: 'l.facebook.com' }],
    ['social', { utm_medium: 'social' }],
    ['social', { utm_source: 'linkedin' }],
    ['social', { utm_source: 'linkedin', referrer_host: 'blog.example.net' }],
    ['referral', { referrer_host: 'blog.example.net' }],
    ['referral', { referrer_host: 'docs.google.com' }],
    ['direct', {}],
    ['unknown', { has_utm: true }],
    ['unknown', { utm_source: 'partner' }],
    ['unknown', { has_pageview: false }],
    // A visit that goes on after a pause says nothing about where it came from.
    ['unknown', { referrer_host: 'docs.example.com' }],
    ['unknown', { referrer_host: ':own' }],
    ['email', { referrer_host: ':own', utm_medium: 'email' }],
  ])('%s: %o', (expected, given) => {
    expect(channel(given)).toBe(expected)
  })

  test('a host is matched whole or below, never as a part of a name', () => {
    for (const referrer_host of [
      'notchatgpt.com',
      'chatgpt.com.example.net',
      'google.com.example.net',
      'mygoogle.com',
      'bing.example.net',
    ])
      expect([referrer_host, channel({ referrer_host })]).toEqual([referrer_host, 'referral'])
    expect(channel({ referrer_host: 'a.b.chatgpt.com' })).toBe('ai_assistant')
  })
})

describe('assistants (decisions 5)', () => {
  test.each<[string, Partial<Origin>, ReturnType<typeof aiReferralOf>]>([
    ['its page linked here', { referrer_host: 'www.perplexity.ai' }, { platform: 'perplexity', evidence: 'referrer' }],
    ['the link was tagged', { utm_source: 'chatgpt.com' }, { platform: 'chatgpt', evidence: 'utm' }],
    ['the link was tagged', { utm_source: 'copilot.com' }, { platform: 'copilot', evidence: 'utm' }],
    ['both', { referrer_host: 'chatgpt.com', utm_source: 'ChatGPT.com' }, { platform: 'chatgpt', evidence: 'both' }],
    [
      'two that contradict each other',
      { referrer_host: 'claude.ai', utm_source: 'chatgpt.com' },
      { platform: 'claude', evidence: 'referrer' },
    ],
    ['search pages are none', { referrer_host: 'www.google.com' }, null],
    ['search pages are none', { referrer_host: 'www.bing.com', utm_source: 'bing' }, null],
    ['a session of events alone', { has_pageview: false, utm_source: 'chatgpt.com' }, null],
  ])('%s: %o', (_why, given, expected) => {
    expect(aiReferralOf(origin(given))).toEqual(expected)
  })
})
