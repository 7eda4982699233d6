/** Reads the target of a followed link: the host of an outbound link, or the file name of a download (rules 6.2). */
import { pathV1 } from '#paths/path-v1.ts'
import { describeValue, EventFault } from './collect-refusal.ts'

/** The names that the script gives these events. */
export const OUTBOUND_LINK = 'outbound_link'
export const FILE_DOWNLOAD = 'file_download'
/** The keys of `props` for the target. Declared properties cannot have them, because their keys begin with a letter. */
export const HOST_KEY = ':host'
export const FILE_KEY = ':file'

const MAX_TARGET_LENGTH = 8_192
const MAX_HOST_LENGTH = 253

/** The stored part of the target as a JSON member of `props`; null without a target. @throws EventFault. */
export function readLinkTarget(name: string, target: unknown): string | null {
  if (target === undefined || target === null) return null
  if (name !== OUTBOUND_LINK && name !== FILE_DOWNLOAD) {
    throw new EventFault(
      'unexpected_target',
      `An event ${describeValue(name)} has no target; only ${OUTBOUND_LINK} and ${FILE_DOWNLOAD} have one.`,
    )
  }
  const url = typeof target === 'string' && target.length <= MAX_TARGET_LENGTH ? URL.parse(target) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname.length > MAX_HOST_LENGTH) {
    throw new EventFault(
      'invalid_target',
      `target is ${describeValue(target)}; send the http or https URL that the link leads to, or leave it out.`,
    )
  }
  return name === OUTBOUND_LINK
    ? `"${HOST_KEY}":${JSON.stringify(url.hostname)}`
    : `"${FILE_KEY}":${JSON.stringify(fileName(url.pathname))}`
}

/** The last segment of a path, in path/v1. */
function fileName(pathname: string): string {
  const { path } = pathV1(pathname)
  return path.split('/').findLast((segment) => segment !== '') ?? '/'
}

/** The properties with the member of the target. */
export function withTarget(props: string, target: string | null): string {
  if (target === null) return props
  return props === '{}' ? `{${target}}` : `${props.slice(0, -1)},${target}}`
}
