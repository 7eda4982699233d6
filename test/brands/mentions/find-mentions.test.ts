import { describe, expect, test } from 'vitest'
import { MentionFinder } from '#brands/mentions/find-mentions.ts'
import type { TrackedBrand } from '#brands/mentions/name-patterns.ts'

const own: TrackedBrand = { id: 'own', names: [{ text: 'Brotwerk' }], domains: ['brotwerk.ch'] }
const rival: TrackedBrand = { id: 'rival', names: [{ text: 'Kornhaus' }], domains: ['kornhaus.org'] }

const named = (text: string, ...names: string[]) =>
  new MentionFinder([{ id: 'brand', names: names.map((name) => ({ text: name })), domains: [] }]).find(text)
const offsets = (text: string, ...names: string[]) => named(text, ...names).map(({ offset }) => offset)

describe('mentions (account API 4)', () => {
  test('positions follow the first mention of each brand, offsets are UTF-16 units of the stored text', () => {
    const found = new MentionFinder([own, rival]).find('🍞🍞 Kornhaus, then Brotwerk, and Kornhaus again')
    expect(found).toEqual([
      { id: 'rival', position: 1, offset: 5, occurrences: 2 },
      { id: 'own', position: 2, offset: 20, occurrences: 1 },
    ])
  })

  test.each([
    ['upper case', 'BROTWERK'],
    ['compatibility forms', 'Ｂｒｏｔｗｅｒｋ'],
    ['mathematical letters', '𝐁𝐫𝐨𝐭𝐰𝐞𝐫𝐤'],
    ['a possessive', 'Brotwerk’s'],
    ['a plain apostrophe', "l'Brotwerk"],
    ['a hyphen', 'pre-Brotwerk-style'],
    ['emphasis', '**Brotwerk** and __x__'],
    ['emphasis with underscores', 'by _Brotwerk_'],
    ['a trade mark', 'Brotwerk™'],
    ['a tag', '<b class="x">Brotwerk</b>'],
    ['a link', '[Brotwerk](https://example.org/a)'],
    ['a Korean particle', 'Brotwerk는'],
    ['Han on both sides', '我用Brotwerk工作'],
  ])('a name is found in %s', (_what, text) => {
    expect(named(text, 'Brotwerk')).toHaveLength(1)
  })

  test.each([
    ['within a word', 'Brotwerke'],
    ['after a letter', 'MegaBrotwerk'],
    ['before a digit', 'Brotwerk2'],
    ['before a connector', 'Brotwerk_api'],
    ['before an accent that belongs to it', 'Brotwerk\u0303'],
    ['in a URL', 'https://example.org/Brotwerk'],
    ['in a URL without scheme', 'example.org/shops/Brotwerk'],
    ['in a code span', 'call `Brotwerk`'],
    ['in a fence', 'so:\n```sh\nBrotwerk\n```'],
    ['in a fence that never ends', '~~~\nBrotwerk'],
    ['in an attribute', '<img alt="Brotwerk">'],
    ['in a comment', '<!-- Brotwerk -->'],
    ['in a host', 'brotwerk-fans.com'],
    ['in a longer host', 'shop.brotwerk.com'],
  ])('a name is not found %s', (_what, text) => {
    expect(named(text, 'Brotwerk')).toEqual([])
  })

  test('letters that fold to several still match, and half of them do not', () => {
    expect(offsets('Die STRASSE GmbH', 'Straße GmbH')).toEqual([4])
    expect(offsets('Die Straße GmbH', 'STRASSE GMBH')).toEqual([4])
    expect(offsets('Nıke, NIKE', 'Nike')).toEqual([6])
    expect(offsets('ﬁrm', 'irm')).toEqual([])
    expect(offsets('Cafe\u0301 Zu\u0308rich', 'Café Zürich')).toEqual([0])
  })

  test.each([
    ["McDonald's", 'at McDonald’s and MCDONALD‘S', 3],
    ['L’Oréal', "by L'Oréal", 3],
    ['Coca-Cola', 'a Coca\u2011Cola', 2],
    ['Coca\u2010Cola', 'a Coca-Cola', 2],
  ])('%s is found whichever apostrophe or hyphen is written', (name, text, offset) => {
    expect(named(text, name)).toMatchObject([{ offset }])
    expect(new MentionFinder([{ id: 'a', names: [{ text: name, is_exact: true }], domains: [] }]).find(text)).toEqual([
      { id: 'a', position: 1, offset, occurrences: 1 },
    ])
  })

  test('a name that is a whole host counts outside of URLs, and names nothing within a longer host', () => {
    expect(offsets('Try Booking.com, or booking.com.', 'Booking.com')).toEqual([4])
    const elsewhere = 'https://booking.com/x, www.booking.com, booking.com.br, my-booking.com, `booking.com`'
    expect(offsets(elsewhere, 'Booking.com')).toEqual([])
  })

  test('emphasis within a name is not text', () => {
    expect(offsets('by **Acme** Cloud', 'Acme Cloud')).toEqual([5])
  })

  test('the longest name at a position is used', () => {
    const brands = [own, rival, { id: 'cloud', names: [{ text: 'Brotwerk Cloud' }], domains: [] }]
    const found = new MentionFinder(brands).find('Brotwerk Cloud, Brotwerk')
    expect(found.map(({ id, occurrences }) => [id, occurrences])).toEqual([
      ['cloud', 1],
      ['own', 1],
    ])
  })

  test('a longer name that does not count leaves the place to a shorter one', () => {
    const brands = [own, { id: 'cloud', names: [{ text: 'Brotwerk CLOUD', is_exact: true }], domains: [] }]
    expect(new MentionFinder(brands).find('Brotwerk Cloud').map(({ id }) => id)).toEqual(['own'])
  })

  test('an exact alias counts in its own spelling only', () => {
    const finder = new MentionFinder([{ id: 'a', names: [{ text: 'ACM', is_exact: true }], domains: [] }])
    expect(finder.find('ACM, acm, Acm, ＡＣＭ')).toMatchObject([{ occurrences: 2 }])
  })

  test('brands that share a name are both named', () => {
    const brands = [own, { ...rival, names: [{ text: 'BROTWERK' }] }]
    expect(new MentionFinder(brands).find('Brotwerk').map(({ id, position }) => [id, position])).toEqual([
      ['own', 1],
      ['rival', 2],
    ])
  })

  describe('a name that needs company', () => {
    const finder = new MentionFinder([
      { id: 'apex', names: [{ text: 'Apex', company: ['Munich', '東京'] }], domains: ['apex.example'] },
    ])
    test.each(['Apex', 'Apex in MunichX', 'Apex on `Munich`'])('is not counted in %j', (text) => {
      expect(finder.find(text)).toEqual([])
    })
    test.each(['Apex in Munich', 'Munich has Apex', 'Apexのapex東京'])(
      'is counted with a listed word in %j',
      (text) => {
        expect(finder.find(text)).toHaveLength(1)
      },
    )
    test('is counted with a domain of the brand, wherever that stands', () => {
      expect(finder.find('Apex: see www.apex.example')).toMatchObject([{ offset: 0, occurrences: 2 }])
    })
    test('a domain in a citation does not count as company', () => {
      const text = 'Apex ([apex.example](https://apex.example))'
      expect(finder.find(text, [{ from: 5, to: text.length }])).toEqual([])
    })
  })

  test.each([
    ['東京銀行', '昨日東京銀行で', 2],
    ['ไทย', 'ประเทศไทยนี้', 6],
    ['삼성', '삼성은', 0],
    ['トヨタ', '私のトヨタ車', 2],
    ['ガス', 'ｶﾞｽ会社', 0],
  ])('%s matches as a substring', (name, text, offset) => {
    expect(offsets(text, name)).toEqual([offset])
  })

  describe('domains', () => {
    const finder = new MentionFinder([{ id: 'a', names: [], domains: ['brotwerk.ch', 'xn--zrich-kva.example'] }])
    test.each([
      'Brotwerk.ch.',
      'shop.brotwerk.ch/x',
      'https://brotwerk.ch?a=b',
      'info@brotwerk.ch',
      '`brotwerk.ch`',
      'Zürich.example',
      '[x](http://brotwerk.ch)',
      'xn--zrich-kva.example',
    ])('%j names a brand by its domain', (text) => {
      expect(finder.find(text)).toHaveLength(1)
    })
    test.each(['brotwerk.ch.evil.com', 'mybrotwerk.ch', 'my-brotwerk.ch', 'brotwerk.chat', 'brotwerk.com'])(
      '%j does not',
      (text) => {
        expect(finder.find(text)).toEqual([])
      },
    )
  })

  test('spans that the provider marks as citations may hold each other', () => {
    const finder = new MentionFinder([{ id: 'acme', names: [{ text: 'Acme' }], domains: [] }])
    const text = 'Try it ([Zenith](https://zenith.example), by Acme) first.'
    const outer = { from: text.indexOf('('), to: text.indexOf(' first') }
    const inner = { from: text.indexOf('['), to: text.indexOf(',') }
    expect(finder.find(text, [outer, inner])).toEqual([])
    expect(finder.find(text, [inner])).toHaveLength(1)
  })

  test('spans that the provider marks as citations are cut first', () => {
    const text = 'Bread. ([brotwerk.ch](https://brotwerk.ch/x)) Brotwerk'
    const finder = new MentionFinder([own])
    expect(finder.find(text)).toMatchObject([{ occurrences: 3 }])
    expect(finder.find(text, [{ from: 7, to: 45 }])).toEqual([{ id: 'own', position: 1, offset: 46, occurrences: 1 }])
  })

  test('thousands of long names are found like few', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `brand ${index} ${'長い名前'.repeat(10)}${index}`)
    const finder = new MentionFinder(names.map((text) => ({ id: text, names: [{ text }], domains: [] })))
    const text = `${names[2_999]} and ${names[17]}`
    expect(finder.find(text).map(({ id }) => id)).toEqual([names[2_999], names[17]])
  })

  test.each([
    ['unclosed tags', '<a <b '],
    ['backticks of growing length', '` `` ``` ```` '],
    ['comments that never end', '<!-- '],
    ['slashes', 'a.b/'],
    ['marks', '\u0301'],
    ['underscores', '_Brotwerk_'],
    ['nested brackets', ']((('],
  ])('hostile text of 200 kB ends: %s', (_what, piece) => {
    expect(new MentionFinder([own]).find(`${piece.repeat(200_000 / piece.length)} Brotwerk`).length).toBeLessThan(2)
  })
})
