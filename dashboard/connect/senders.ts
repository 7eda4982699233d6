/** The senders that docs/senders describes. Each document is a separate chunk. */
const documents = import.meta.glob<string>('../../docs/senders/*.md', { query: '?raw', import: 'default' })

const SENDERS = [
  { key: 'nginx-syslog-ng', label: 'nginx and syslog-ng', sender: 'web1' },
  { key: 'nginx-vector', label: 'nginx and Vector', sender: 'web1' },
  { key: 'caddy', label: 'Caddy and syslog-ng', sender: 'web1' },
  { key: 'fluent-bit', label: 'Fluent Bit', sender: 'web1' },
  { key: 'cloudflare-worker', label: 'Cloudflare Worker', sender: 'worker' },
  { key: 'cloudflare-logpush', label: 'Cloudflare Logpush', sender: 'logpush' },
  { key: 'vercel', label: 'Vercel', sender: 'vercel' },
  { key: 'fastly', label: 'Fastly', sender: null },
  { key: 'cloudfront-akamai', label: 'CloudFront, Akamai', sender: null },
] as const

/** The sender name that the document uses, so that a test record adds no other sender; null: the name of the token. */
export const senderName = (key: string): string | null => SENDERS.find((one) => one.key === key)?.sender ?? null

/** Any other program, which needs no document. */
export const OWN_SENDER = 'own'
export const SENDER_OPTIONS = [...SENDERS, { key: OWN_SENDER, label: 'Another program, over HTTPS' }]

/** Throws when the document is missing from the build. */
export async function loadSender(key: string): Promise<string> {
  const load = documents[`../../docs/senders/${key}.md`]
  if (load === undefined) throw new Error(`There is no document about the sender ${JSON.stringify(key)}.`)
  return load()
}
