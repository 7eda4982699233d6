/** Hosts as people type them: with spaces, commas or lines between. */
export const hostsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((host) => host !== ''),
  ),
]

/** Why typed hosts are not accepted, and what is allowed; undefined if all are accepted. */
export function hostsFault(text: string, root_domain: string): string | undefined {
  const hosts = hostsOf(text)
  const allowed = `enter ${root_domain} or hosts that end in .${root_domain}.`
  if (hosts.length === 0) return `The field is empty; ${allowed}`
  const other = hosts.find((host) => !isHostOf(host, root_domain))
  return other === undefined ? undefined : `${JSON.stringify(other)} is not a host of this site; ${allowed}`
}

const isHostOf = (host: string, root_domain: string): boolean =>
  /^[\p{L}\p{N}._-]+$/u.test(host) && (host === root_domain || host.endsWith(`.${root_domain}`))
