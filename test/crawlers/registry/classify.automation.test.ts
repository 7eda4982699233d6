import { describe, expect, it } from 'vitest'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { compileRegistry } from '#crawlers/registry/classify.ts'
import { makeDocument, makeEntry } from './make-registry.ts'

const registry = readBuiltInRegistry()
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT}`
const ANDROID = `Mozilla/5.0 (Linux; Android 15; K) ${WEBKIT}`
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('people are never taken for automated (rules 4)', () => {
  it.each([
    ['Chrome', `${WINDOWS} Chrome/142.0.0.0 Safari/537.36`],
    ['Chrome on Android', `${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36`],
    ['Chrome on iOS', `${IPHONE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
    ['Chrome OS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`],
    ['Firefox', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0'],
    ['Firefox on iOS', `${IPHONE} FxiOS/144.0 Mobile/15E148 Safari/605.1.15`],
    ['Safari', `${MAC} Version/26.0 Safari/605.1.15`],
    ['Safari on iPhone', `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`],
    ['Edge', `${WINDOWS} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
    ['old Edge', `${WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`],
    ['Samsung Internet', `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
    ['Opera', `${WINDOWS} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`],
    ['Opera Mini', 'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80/191.285; U; en) Presto/2.12.423 Version/12.16'],
    ['Vivaldi', `${WINDOWS} Chrome/140.0.0.0 Safari/537.36 Vivaldi/7.6.3797.63`],
    [
      'UC Browser',
      `Mozilla/5.0 (Linux; U; Android 11; en-US; M2006C3MG) ${WEBKIT} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.2.1307 Mobile Safari/537.36`,
    ],
    ['Internet Explorer 7', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 5.1; .NET CLR 2.0.50727)'],
    ['Internet Explorer 9', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; WOW64; Trident/5.0)'],
    ['Internet Explorer 11', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    [
      'an embedded Internet Explorer',
      'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; EmbeddedWB 14.52 from: http://www.bsalsa.com/ EmbeddedWB 14.52)',
    ],
    ['Konqueror', 'Mozilla/5.0 (compatible; Konqueror/4.9; Linux) KHTML/4.9.5 (like Gecko)'],
    ['Lynx', 'Lynx/2.9.0dev.10 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.1'],
    ['w3m', 'w3m/0.5.3+git20230121'],
    ['DuckDuckGo app', `${IPHONE} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
    ['DuckDuckGo on Android', `${ANDROID} Version/4.0 Chrome/141.0.0.0 Mobile DuckDuckGo/5 Safari/537.36`],
    [
      'Facebook on iOS',
      `${IPHONE} Mobile/22G86 [FBAN/FBIOS;FBAV/530.0.0.33.107;FBBV/790000000;FBDV/iPhone15,4;FBMD/iPhone;FBSN/iOS;FBSV/18.6;FBSS/3;FBLC/de_DE;FBOP/80]`,
    ],
    [
      'Facebook on Android',
      `Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A.231005.007; wv) ${WEBKIT} Version/4.0 Chrome/141.0.7390.97 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/531.0.0.48.109;]`,
    ],
    ['Meta browser', `${ANDROID} Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36 MetaIAB Facebook`],
    [
      'Instagram',
      `${IPHONE} Mobile/22G86 Instagram 400.0.0.24.91 (iPhone15,4; iOS 18_6; de_DE; de; scale=3.00; 1179x2556; 780000000)`,
    ],
    ['Yandex Browser', `${WINDOWS} Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36`],
    [
      'Yandex app',
      `${ANDROID} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 YandexSearch/25.80 YaApp_Android/25.80 BroPP/1.0`,
    ],
    ['Google app', `${IPHONE} GSA/385.0.815 Mobile/15E148 Safari/604.1`],
    [
      'Taobao app',
      `${ANDROID} Version/4.0 Chrome/100.0.0.0 Mobile Safari/537.36 AliApp(TB/10.8.0) TTID/600000@taobao_android_10.8.0 WindVane/8.5.0`,
    ],
    ['WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.60(0x18003c2b) NetType/WIFI Language/zh_CN`],
    [
      'TikTok',
      `${IPHONE} Mobile/22G86 musical_ly_41.0.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/de Region/DE BytedanceWebview/d8a21c6`,
    ],
    ['VS Code', `${WINDOWS} Code/1.105.1 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36`],
    ['Cursor', `${WINDOWS} Cursor/2.0.34 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36`],
    ['Claude for desktop', `${WINDOWS} Claude/0.14.10 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36`],
    [
      'an Electron app with a scoped name',
      `${WINDOWS} @example/notes.app/1.0.0 Chrome/138.0.0.0 Electron/37.6.0 Safari/537.36`,
    ],
    ['ChatGPT app', 'ChatGPT/1.2025.300 (iOS 18.6; iPhone15,4; build 18675309)'],
    ['a CUBOT phone', `Mozilla/5.0 (Linux; Android 13; CUBOT P80) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`],
    [
      'a CUBOT phone, joined',
      `Mozilla/5.0 (Linux; Android 9; CUBOT_X19_S Build/PPR1.180610.011) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'a Cubot phone',
      `Mozilla/5.0 (Linux; Android 10; Cubot KingKong Mini2) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`,
    ],
    ['a television', `Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${WEBKIT} 108.0.5359.1/8.0 TV Safari/537.36`],
    ['HbbTV', 'HbbTV/1.6.1 (+DRM;Example;Model;1.0;2.0;urn:example:familyname:2024;) Opera/9.80'],
    [
      'a console',
      `Mozilla/5.0 (PlayStation; PlayStation 5/10.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15`,
    ],
    ['an old phone', 'Nokia6300/2.0 (05.50) Profile/MIDP-2.0 Configuration/CLDC-1.1 UP.Link/6.3.0.0.0'],
    ['Android itself', 'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240205.004)'],
    ['an app on an iPhone', 'MobileSafari/8621.1.15 CFNetwork/3826.500.131 Darwin/24.5.0'],
  ])('%s', (_name, userAgent) => {
    expect(registry.classify(userAgent)).toBeNull()
    expect(registry.isAutomated(userAgent)).toBe(false)
  })

  it.each(['', '-', ' ', 'Mozilla/5.0'])('the agent %j is not automated', (userAgent) => {
    expect(registry.isAutomated(userAgent)).toBe(false)
  })
})

describe('automated agents (rules 4)', () => {
  it('every agent that the registry names is automated, even without any other sign', () => {
    const userAgents = registry.entries.flatMap((entry) => entry.example_user_agents)
    expect(userAgents.filter((userAgent) => !registry.isAutomated(userAgent))).toEqual([])
    const quiet = compileRegistry(makeDocument([makeEntry('Quiet-User')]))
    expect(quiet.isAutomated('Quiet-User/1.0')).toBe(true)
    expect(quiet.isAutomated('Loud-User/1.0')).toBe(false)
  })

  it.each([
    ['bot', 'SampleBot/1.0'],
    ['bot', 'robots'],
    ['crawl', 'Sample Crawler'],
    ['spider', 'SAMPLESPIDER'],
    ['fetch', 'feedfetcher'],
    ['a URL in a comment', 'Sample/1.0 (+https://example.com/about)'],
    ['a URL behind the comment', 'Mozilla/5.0 (compatible); Sample/1.0; +http://example.com'],
    ['a URL without a scheme', 'Sample/1.0 (+www.example.com)'],
    ['an e-mail address in a comment', 'Mozilla/5.0 (compatible; Sample/1.0; ops@example.com)'],
    ['a browser with a URL', `${WINDOWS} Chrome/142.0.0.0 Safari/537.36 (compatible; Sample; +https://example.com)`],
    ['a CUBOT phone that crawls', 'CUBOT_Crawler/1.0'],
    ['a bot after a Cubot', 'Mozilla/5.0 (Linux; Android 13; CUBOT P80; SampleBot)'],
    ['a name that only ends in cubot', 'Focubot/1.0'],
  ])('%s: %s', (_sign, userAgent) => {
    expect(registry.isAutomated(userAgent)).toBe(true)
  })

  it.each([
    'curl/8.14.1',
    'Wget/1.25.0',
    'python-requests/2.32.5',
    'Python-urllib/3.13',
    'Python/3.12 aiohttp/3.12.15',
    'python-httpx/0.28.1',
    'Scrapy/2.13.3',
    'Go-http-client/2.0',
    'Java/21.0.4',
    'Java-http-client/21.0.4',
    'Apache-HttpClient/5.4 (Java/21)',
    'okhttp/5.1.0',
    'axios/1.12.2',
    'node-fetch/1.0',
    'node',
    'undici',
    'libwww-perl/6.78',
    'GuzzleHttp/7',
    'PHP/8.3.11',
    'Ruby',
    'Faraday v2.13.4',
    'reqwest/0.12.23',
    'Dart/3.9 (dart:io)',
    'PostmanRuntime/7.46.1',
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.26100.1',
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/141.0.0.0 Safari/537.36`,
    'Mozilla/5.0 zgrab/0.x',
    'masscan/1.3',
  ])('known HTTP library or tool: %s', (userAgent) => {
    expect(registry.isAutomated(userAgent)).toBe(true)
  })

  it.each(['Curling/1.0', 'Mozilla/5.0 (Linux; Android 13; Libcurlew)', 'nodeapp', 'Rubylith/2.0', 'Wgetty/1'])(
    'a program is a separate token, not a part of %s',
    (userAgent) => {
      expect(registry.isAutomated(userAgent)).toBe(false)
    },
  )

  it('the signs are the data of the registry version, not of the program', () => {
    const signs = { words: ['gather'], links: ['email' as const], programs: [], whole_agents: [], people: [] }
    const other = compileRegistry(makeDocument([], { automation_signs: signs }))
    expect(other.isAutomated('SampleGatherer/1.0')).toBe(true)
    expect(other.isAutomated('Sample (ops@example.com)')).toBe(true)
    expect(other.isAutomated('SampleBot/1.0 (+https://example.com)')).toBe(false)
  })
})
