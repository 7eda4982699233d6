/** Commands for a shell, with everything filled in that the page knows. */

export interface CommandFilling {
  address: string
  token: string
  /** What the source delivers; at least one. */
  hosts: readonly string[]
}

const headOf = ({ token }: CommandFilling, sender: string | null): string =>
  `-H "Authorization: Bearer ${token}"${sender === null ? '' : ` -H "X-Spoor-Sender: ${sender}"`}`

/** A record of a crawler, now, so that the way is tried from end to end. */
export function trialCommand(filling: CommandFilling, sender: string | null): string {
  const record = {
    ...{ host: filling.hosts[0], path: '/', method: 'GET' },
    ...{ status: 200, user_agent: 'GPTBot/1.2 (my own trial)' },
  }
  const fields = JSON.stringify(record).slice(1).replaceAll('"', '\\"')
  return `curl ${headOf(filling, sender)} ${filling.address}/intake/logs \\
  -d "{\\"timestamp\\":$(date +%s),${fields}"`
}

/** One heartbeat a host: the last ten minutes were quiet. */
export const heartbeatCommand = (filling: CommandFilling, sender: string | null): string =>
  `now=$(date +%s)
for host in ${filling.hosts.join(' ')}; do
  curl ${headOf(filling, sender)} ${filling.address}/intake/logs \\
    -d "{\\"type\\":\\"heartbeat\\",\\"host\\":\\"$host\\",\\"covered_from\\":$((now - 600)),\\"covered_to\\":$now}"
done`
