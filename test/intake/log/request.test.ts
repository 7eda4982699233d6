import { describe, expect, test } from 'vitest'
import { decodeTarget, decodeText, unescapeField } from '#intake/log/decode.ts'
import { LogReader } from '#intake/log/read-line.ts'
import { isServerInternal, readRequest } from '#intake/log/request.ts'

describe('request lines', () => {
  test.each([
    ['GET /a?b=1 HTTP/1.1', 'GET', '/a?b=1', null],
    ['get /a http/1.0', 'GET', '/a', null],
    ['GET /', 'GET', '/', null],
    ['GET /Read Me.txt HTTP/1.1', 'GET', '/Read Me.txt', null],
    ['GET  /two blanks  HTTP/1.1', 'GET', '/two blanks', null],
    ['PROPFIND /dav HTTP/1.1', 'PROPFIND', '/dav', null],
    ['OPTIONS * HTTP/1.0', 'OPTIONS', '*', null],
    ['GET https://www.Example.com:8443/a?b HTTP/1.1', 'GET', '/a?b', 'www.example.com'],
    ['GET http://me@example.com HTTP/1.1', 'GET', '/', 'example.com'],
    ['GET http://example.com?x=1 HTTP/1.1', 'GET', '/?x=1', 'example.com'],
    ['GET http://192.0.2.1/meta HTTP/1.1', 'GET', '/meta', null],
    ['GET http://localhost:3000/ HTTP/1.1', 'GET', '/', null],
    ['GET http://[2001:db8::1]:80/ HTTP/1.1', 'GET', '/', null],
    ['GET //xn--bcher-kva.example/wp HTTP/1.1', 'GET', '//xn--bcher-kva.example/wp', null],
    ['GET /caf\xc3\xa9 HTTP/1.1', 'GET', '/café', null],
    ['GET /\xac\xb0a\xc3\xa9\n HTTP/1.1', 'GET', '/%AC%B0aé%0A', null],
  ])('%s', (request, method, target, absolute_host) => {
    expect(readRequest(request)).toEqual({ method, target, absolute_host })
  })

  test('a target keeps its last byte', () => {
    expect(readRequest('GET /voil\xc3\xa0 HTTP/1.1')).toMatchObject({ target: '/voilà' })
    expect(readRequest('GET /voil\xc3\xa0')).toMatchObject({ target: '/voilà' })
  })

  test.each([
    ['', 'request_empty'],
    ['-', 'request_empty'],
    ['\n', 'request_empty'],
    ['\x16\x03\x01\x00\xee', 'request_not_http'],
    ['\x16\x03\x01 \x02', 'request_not_http'],
    ['SSH-2.0-Go', 'request_not_http'],
    ['t3 12.1.2', 'request_not_http'],
    ['HELP', 'request_not_http'],
    ['OPTIONS sip:nm SIP/2.0', 'request_not_http'],
    ['OPTIONS / RTSP/1.0', 'request_not_http'],
    ['PRI * HTTP/2.0', 'request_not_http'],
    ['{"id": 1, "jsonrpc":', 'request_not_http'],
    ['CONNECT example.com:443 HTTP/1.1', 'request_without_path'],
    ['GET robots.txt HTTP/1.1', 'request_without_path'],
    ['GET  HTTP/1.1', 'request_without_path'],
  ])('%j is none: %s', (request, problem) => {
    expect(readRequest(request)).toBe(problem)
  })
})

describe('bytes and escapes', () => {
  test('every one of the 256 bytes survives a target, as itself or as %XX', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const target = decodeTarget(`/${String.fromCharCode(byte)}`)
      const plain = byte >= 0x20 && byte < 0x7f
      expect(target).toBe(
        plain ? `/${String.fromCharCode(byte)}` : `/%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      )
    }
  })

  test('cut, overlong and surrogate UTF-8 is not read as letters', () => {
    expect(decodeTarget('/\xe2\x82')).toBe('/%E2%82')
    expect(decodeTarget('/\xc0\xaf')).toBe('/%C0%AF')
    expect(decodeTarget('/\xed\xa0\x80')).toBe('/%ED%A0%80')
    expect(decodeTarget('/\xf0\x9f\x90\xbe')).toBe('/🐾')
    expect(decodeText('\xe2\x82')).toBe('\ufffd')
  })

  test('escapes of Apache and nginx are undone once', () => {
    expect(unescapeField(String.raw`a\x22b\"c\\x41\n\q`)).toBe('a"b"c\\x41\n\\q')
  })
})

describe('requests that a server sends to itself', () => {
  const internal = (client: string, request: string, agent: string) => {
    const reader = new LogReader()
    const text = `${client} - - [03/Mar/2026:10:15:30 +0000] "${request}" 200 126 "-" "${agent}"\n`
    reader.load({ bytes: Buffer.from(text, 'latin1'), too_long: false, terminated: true })
    expect(reader.next()).toBe('record')
    return isServerInternal(reader.record)
  }

  test('are only the dummy connection and OPTIONS * from loopback', () => {
    expect(internal('::1', 'OPTIONS * HTTP/1.0', 'Apache/2.4 (Ubuntu) (internal dummy connection)')).toBe(true)
    expect(internal('127.0.0.1', 'OPTIONS * HTTP/1.0', '-')).toBe(true)
    expect(internal('192.0.2.7', 'OPTIONS * HTTP/1.0', '-')).toBe(false)
    expect(internal('127.0.0.1', 'GET / HTTP/1.1', 'GPTBot/1.2')).toBe(false)
    expect(internal('127.0.0.1', 'OPTIONS /x HTTP/1.1', '-')).toBe(false)
  })
})
