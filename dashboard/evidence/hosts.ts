import type { Coverage } from '../../src/contract/dashboard-api/index.ts'
import { visibleText } from '../words/foreign-text.ts'

/** The row of all hosts without coverage of their own. */
const EVERY_HOST = '*'

/** Hosts that say more than the row of all hosts: none where all are covered alike. */
export const hostsApart = ({ hosts }: Coverage): Coverage['hosts'] =>
  hosts.length === 1 && hosts[0]?.host === EVERY_HOST ? [] : hosts

export const hostWords = (host: string): string => (host === EVERY_HOST ? 'Other hosts' : visibleText(host))
