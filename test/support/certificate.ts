/** A self-signed certificate of a test's own (RFC 5280), made anew so that no key lies in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = [1, 2, 840, 10045, 4, 3, 2]
const COMMON_NAME = [2, 5, 4, 3]
const SUBJECT_ALT_NAME = [2, 5, 29, 17]

/** Key and certificate of one DNS name as PEM, valid from 2000 to 2049. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, oid(ECDSA_WITH_SHA256))
  const named = der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))))
  const years = der(SEQUENCE, der(0x17, Buffer.from('000101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const names = der(SEQUENCE, oid(SUBJECT_ALT_NAME), der(0x04, der(SEQUENCE, der(0x82, Buffer.from(name)))))
  const certified = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    ...[der(0x02, Buffer.from([1])), algorithm, named, years, named],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, names)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', certified, privateKey)]))
  const text = der(SEQUENCE, certified, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

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
