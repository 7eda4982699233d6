/**
 * Recognizes the kind of a quoted field by its content. Layouts differ in the order of their quoted fields, and lines
 * do not name them, so only the content shows which of them is the user agent.
 */

export type FieldKind = 'empty' | 'url' | 'agent' | 'request' | 'address' | 'host' | 'number' | 'technical' | 'text'

/** The kind of a quoted field, as logged. `text` may be anything, including a user agent. */
export function kindOf(content: string): FieldKind {
  if (content === '' || content === '-') return 'empty'
  const field = content.slice(0, MAX_LOOKED_AT)
  if (URL.test(field)) return 'url'
  if (KNOWN_METHOD.test(field)) return 'request'
  if (METHOD.test(field) && PROTOCOL_AT_END.test(content.slice(-MAX_PROTOCOL))) return 'request'
  if (field.startsWith('Mozilla/')) return 'agent'
  if (NUMBERS.test(field)) return ADDRESS_IN_LIST.test(field) ? 'address' : 'number'
  if (isAddressList(field)) return 'address'
  if (HOST.test(field)) return 'host'
  if (TECHNICAL.some((pattern) => pattern.test(field))) return 'technical'
  return PRODUCT.test(field) || AUTOMATION.test(field) ? 'agent' : 'text'
}

/** The characters that decide the kind, so that long fields take no more time than short ones. */
const MAX_LOOKED_AT = 512
const MAX_PROTOCOL = 16
const URL = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:\/\//
const KNOWN_METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|PROPFIND) (?:[/*]|https?:)/i
const METHOD = /^[A-Za-z]{3,16} \S/
const PROTOCOL_AT_END = / HTTP\/\d(?:\.\d)?$/i
const NUMBERS = /^[\d.,:; -]+$/
const ADDRESS_IN_LIST = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:, ?|$)/
const ADDRESS =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[?[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[\d.%:A-Fa-f]*(?:\](?::\d+)?)?|unknown|-)$/
const HOST =
  /^(?:localhost(?::\d{1,5})?|[\w-]{1,63}:\d{1,5}|[\w\x80-\xff-]{1,63}(?:\.[\w\x80-\xff-]{1,63})*\.[A-Za-z][\w-]{1,62}\.?(?::\d{1,5})?)$/
/** A product with a version, with which nearly every user agent begins. */
const PRODUCT = /^[^\s/:;,=()<>"\\]{2,64}\/v?\d/
const AUTOMATION =
  /bot|crawl|spider|slurp|scan|fetch|monitor|preview|\bmozilla\b|https?:\/\/|curl|wget|python|java|go-http|http-?client/i

/** Values that servers log with a request, and that no client sends as its user agent. */
const TECHNICAL = [
  // Protocols and ciphers.
  /^(?:HTTP|TLS|SSL|QUIC|SPDY)v?\/?[\d.]*$/i,
  /^h[23]c?(?:-\d+)?$/i,
  /^(?:TLS_|ECDHE|DHE-|AES\d|CHACHA20)[\w-]*$/i,
  // Results of caches.
  /^(?:HIT|MISS|NONE|BYPASS|EXPIRED|STALE|UPDATING|REVALIDATED|DYNAMIC|PASS|TCP_[A-Z_]+)$/i,
  // Accept-Encoding, Accept-Language, Accept and Content-Type.
  /^(?:gzip|deflate|br|zstd|identity|compress)\b/i,
  /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?(?:[,;]|$)/,
  /^(?:text|image|application|audio|video|font|multipart|\*)\/[\w*.+-]+(?:[,;]|$)/i,
  /;q=[01]/,
  // Cookies, authorisation, identifiers, paths and time.
  /^[\w.%-]{1,64}=/,
  /^(?:Basic|Bearer|Digest) /i,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{8,}$/i,
  /^[0-9a-f]{16,}$/i,
  /^[/.*]/,
  /^\d{1,2}\/[A-Z][a-z]{2}\/\d{4}/,
]

const MAX_ADDRESSES = 16

function isAddressList(text: string): boolean {
  return text.split(/, ?/, MAX_ADDRESSES).every((part) => ADDRESS.test(part))
}
