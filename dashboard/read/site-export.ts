import { BASE, queryText } from './client.ts'

/** Where the service writes the export of a site (decisions 7.7); the password must have been given within ten minutes. */
export const siteExportAddress = (site: string): string => `${BASE}exportSite${queryText({ site })}`
