/** Disks that are full, slow, or become read-only under the running service. They need the permission to mount. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileDisk, memoryDisk, no_loops, no_mounts } from '../../../test/support/disk.ts'
import { atExit } from '../at-exit.ts'
import type { Installed } from '../installed.ts'
import { check, type Round, type Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const DISK_MIB = 400
const AWAY_MS = 8_000
const SLOW_MS = 40_000
/** Writes per second of one spinning disk. Flash memory has thousands. */
const SLOW_WRITES = 100
const THROTTLE = '/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device'

export const diskScenarios: readonly Scenario[] = [
  {
    name: 'full-disk',
    does: 'the disk fills up to the last byte, and almost, three times each',
    holds: 'writes are refused, reads go on, and with space again everything works without a start',
    cannotRun: () => no_mounts,
    run: (round) => onDisk(round, memoryDisk(DISK_MIB), fillUp),
  },
  {
    name: 'read-only-disk',
    does: 'the disk fails and turns read-only under the service; it is repaired after a stop',
    holds: 'writes are refused, reads go on, the stop is in order, and nothing is missing after the repair',
    cannotRun: () => no_loops,
    run: (round) => onDisk(round, fileDisk(DISK_MIB), failAndRepair),
  },
  {
    name: 'slow-disk',
    does: `the disk takes ${SLOW_WRITES} writes a second (a throttled loop device) for ${SLOW_MS / 1_000} s`,
    holds: 'everything is still answered, later',
    cannotRun: () =>
      no_loops ?? (existsSync(THROTTLE) ? null : 'no block device can be throttled here (cgroup v1 blkio)'),
    run: (round) => onDisk(round, fileDisk(DISK_MIB), slowDown),
  },
]

/** A round whose data folder is on a separate disk. */
async function onDisk<D extends { folder: string; remove(): void }>(
  round: Round,
  disk: D,
  attack: (attacked: Attacked, disk: D, round: Round) => Promise<string>,
): Promise<string> {
  const forget = atExit(() => disk.remove())
  try {
    const prepared = await round.installed()
    const installed: Installed = { ...prepared, data: join(disk.folder, 'data') }
    cpSync(prepared.data, installed.data, { recursive: true })
    // The copy must be on the disk, and not in memory, before the disk fails or is throttled.
    execFileSync('sync', ['-f', disk.folder])
    return await underAttack(installed, (attacked) => attack(attacked, disk, round), { may_log_errors: true })
  } finally {
    forget()
    disk.remove()
  }
}

async function fillUp({ client }: Attacked, disk: ReturnType<typeof memoryDisk>, { says }: Round): Promise<string> {
  for (let time = 1; time <= 3; time++) {
    for (const leave of [0, 3 << 20]) {
      says(`full, ${leave} bytes left, time ${time}`)
      client.allow('refusals')
      const { reads, refused } = client.counts
      disk.fill(leave)
      await pause(AWAY_MS)
      check(client.counts.reads > reads, 'no read was answered on a full disk')
      check(client.counts.refused > refused, 'nothing was refused on a full disk')
      disk.empty()
      await client.works()
      client.allow('success')
      await client.works()
    }
  }
  return '6 × full'
}

async function failAndRepair({ client, service }: Attacked, disk: ReturnType<typeof fileDisk>): Promise<string> {
  client.allow('refusals')
  disk.fail()
  const { reads, refused } = client.counts
  await pause(AWAY_MS)
  check(client.counts.reads > reads, 'no read was answered on a read-only disk')
  check(client.counts.refused > refused, 'nothing was refused on a read-only disk')
  client.allow('silence')
  await service.stop()
  disk.repair()
  await service.start()
  await service.isReady()
  return '1 × read-only'
}

async function slowDown({ client }: Attacked, disk: ReturnType<typeof fileDisk>): Promise<string> {
  const device = deviceOf(disk.folder)
  writeFileSync(THROTTLE, `${device} ${SLOW_WRITES}`)
  try {
    await pause(SLOW_MS)
    await client.works()
  } finally {
    writeFileSync(THROTTLE, `${device} 0`)
  }
  return `${SLOW_WRITES} writes a second`
}

/** Major and minor number of the device that a folder is the mount of. */
function deviceOf(folder: string): string {
  const line = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((each) => each.split(' ')[4] === folder)
  const device = line?.split(' ')[2]
  if (device === undefined) throw new Error(`${folder} is not mounted`)
  return device
}
