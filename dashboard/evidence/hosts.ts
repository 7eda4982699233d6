import type { Coverage } from '../../src/contract/dashboard-api/index.ts'
import { visibleText } from '../words/foreign-text.ts'

/** The row for all hosts that have no row themselves. */
const EVERY_HOST = '*'

/** The rows of hosts; empty if the only row is the one for all hosts. */
export const hostsApart = ({ hosts }: Coverage): Coverage['hosts'] =>
  hosts.length === 1 && hosts[0]?.host === EVERY_HOST ? [] : hosts

export const hostWords = (host: string): string => (host === EVERY_HOST ? 'Other hosts' : visibleText(host))
