/** Certificates of a test's own (RFC 5280), made anew so that no key lies in the repository. */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = [1, 2, 840, 10045, 4, 3, 2]
const COMMON_NAME = [2, 5, 4, 3]
const SUBJECT_ALT_NAME = [2, 5, 29, 17]
const BASIC_CONSTRAINTS = [2, 5, 29, 19]

export interface Certified {
  key: string
  cert: string
}

export interface CertificateWish {
  /** Common name. */
  name: string
  /** DNS name of the subject's alternative names, the common name unless given; null: the certificate has none. */
  alt_name?: string | null
  /** `YYYYMMDD`; 2049 unless given. */
  expires?: string
  /** Itself unless given. */
  issuer?: { name: string } & Certified
  /** It may issue others. */
  is_authority?: boolean
}

/** Key and certificate of one DNS name as PEM, valid from 2000 to 2049. */
export const selfSigned = (name: string): Certified => certify({ name })

/** Key and certificate as PEM, valid from 2000 on. */
export function certify({
  name,
  alt_name = name,
  expires = '20491231',
  issuer,
  is_authority,
}: CertificateWish): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, oid(ECDSA_WITH_SHA256))
  const named = (common: string) =>
    der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(0x0c, Buffer.from(common)))))
  const years = der(SEQUENCE, utcTime('20000101'), utcTime(expires))
  const extensions = [
    ...(alt_name === null ? [] : [extension(SUBJECT_ALT_NAME, der(SEQUENCE, der(0x82, Buffer.from(alt_name))))]),
    ...(is_authority === true ? [extension(BASIC_CONSTRAINTS, der(SEQUENCE, der(0x01, Buffer.from([0xff]))))] : []),
  ]
  const certified = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    ...[der(0x02, Buffer.from([++serial])), algorithm, named(issuer?.name ?? name), years, named(name)],
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [der(0xa3, der(SEQUENCE, ...extensions))]),
  )
  const signed = sign('sha256', certified, issuer === undefined ? privateKey : createPrivateKey(issuer.key))
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), signed]))
  const text = der(SEQUENCE, certified, algorithm, signature)
    .toString('base64')
    .replace(/.{64}(?!$)/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

let serial = 0
const utcTime = (day: string) => der(0x17, Buffer.from(`${day.slice(2)}000000Z`))
const extension = (id: readonly number[], value: Buffer) => der(SEQUENCE, oid(id), der(0x04, value))

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const digits = rest.flatMap((arc) => {
    const groups = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return der(0x06, Buffer.from([first * 40 + second, ...digits]))
}
