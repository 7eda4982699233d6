/** What only the dashboard has, as operations; it also calls those of both APIs and those that steer (decisions 7). */
import { getSession, listSessions } from './session.ts'

export const dashboardOperations = [getSession, listSessions] as const

export type DashboardOperation = (typeof dashboardOperations)[number]
export type DashboardOperationId = DashboardOperation['id']
export { SIGN_IN, type SignInCalls } from './session.ts'
