/** Adds the result of a block's plain lines to the file, if their order among other lines does not matter. */
import { MINUTE_MS } from '#clock.ts'
import type { BlockLines } from './block-lines.ts'
import type { FileReading } from './take-line.ts'

/**
 * False if a limit is near, so that the order of lines decides which names pass: then nothing is added, and each line
 * of the block must be read in order.
 */
export function takeBlock(reading: FileReading, block: BlockLines): boolean {
  if (!takesNames(reading, block)) return false
  const { counts, agents, host_names } = reading
  counts.lines += block.lines - block.other_lines.length / 2
  for (const minute of block.minutes) counts.minutes.add(minute * MINUTE_MS)
  counts.from = Math.min(counts.from, block.from)
  counts.to = Math.max(counts.to, block.to)
  if (block.has_agents) counts.has_agents = true
  for (const { host, named, is_own, others, kept, without_agent, has_statuses } of block.hosts) {
    if (!is_own) {
      counts.addForeignHost(host, others)
      continue
    }
    counts.addHost(host, others + kept)
    counts.human += others
    counts.human_without_agent += without_agent
    counts.kept += kept
    if (named === null) counts.without_host += kept
    if (has_statuses) counts.has_statuses = true
    if (kept > 0) host_names.stored(host)
  }
  for (const { agent, days } of block.agents) for (const day of days) agents.ofDay(agent, day)
  return true
}

/** Whether the block, including its other lines, stays within the limits on hosts and agents. */
function takesNames({ counts, agents, host_names }: FileReading, block: BlockLines): boolean {
  const own = block.hosts.filter(({ is_own }) => is_own)
  const kept = own.filter((one) => one.kept > 0).map(({ host }) => host)
  const otherLines = block.other_lines.length / 2
  return (
    counts.takesHosts(
      own.map(({ host }) => host),
      block.hosts.length - own.length,
      otherLines,
    ) &&
    host_names.takes(kept, otherLines) &&
    agents.takes(block.agents, otherLines)
  )
}
