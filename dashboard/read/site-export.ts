import { BASE, queryText } from './client.ts'

/** The URL of a site's export (decisions 7.7); the password must have been given within the last ten minutes. */
export const siteExportAddress = (site: string): string => `${BASE}exportSite${queryText({ site })}`
