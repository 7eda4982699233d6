import type { Migration } from 'kysely/migration'
import * as firstTables from './0001-first-tables.ts'
import * as people from './0002-people.ts'
import * as retention from './0004-retention.ts'
import * as liveSources from './0005-live-sources.ts'
import * as jobs from './0006-jobs.ts'
import * as intake from './0007-intake.ts'
import * as identity from './0008-identity.ts'
import * as zones from './0009-zones.ts'
import * as authority from './0010-authority.ts'
import * as tracker from './0011-tracker.ts'
import * as forgottenWatches from './0012-forgotten-watches.ts'
import * as sourcesThatEnd from './0013-sources-that-end.ts'
import * as visits from './0014-visits.ts'
import * as missingEvidence from './0015-missing-evidence.ts'
import * as sourceNames from './0016-source-names.ts'
import * as derivedDays from './0017-derived-days.ts'
import * as inspections from './0018-inspections.ts'
import * as development from './0019-development.ts'
import * as issues from './0020-issues.ts'
import * as alerts from './0024-alerts.ts'
import * as accountTokens from './0030-account-tokens.ts'
import * as brands from './0031-brands.ts'
import * as mentionVersions from './0032-mention-versions.ts'
import * as engines from './0033-engines.ts'
import * as scans from './0034-scans.ts'
import * as sentiment from './0035-sentiment.ts'
import * as fixes from './0036-fixes.ts'
import * as searchData from './0040-search-data.ts'
import * as sessions from './0042-sessions.ts'
import * as importReceipts from './0043-import-receipts.ts'
import * as signInLinks from './0044-sign-in-links.ts'
import * as aliasRules from './0046-alias-rules.ts'
import * as deprecatedUses from './0047-deprecated-uses.ts'
import * as classifications from './0048-classifications.ts'
import * as siteAliases from './0050-site-aliases.ts'
import * as nodes from './0051-nodes.ts'
import * as cloudflareQuestions from './0052-cloudflare-questions.ts'
import * as crawlerMonths from './0054-crawler-months.ts'
import * as nodeUse from './0055-node-use.ts'
import * as earlierOrderKeys from './0056-earlier-order-keys.ts'
import * as senderRecords from './0057-sender-records.ts'

/**
 * Every step of the control store's layout, run in order of name. A released step is never edited, only followed by
 * another. Steps use what SQLite and PostgreSQL both understand: `text` for uuids and JSON, `bigint` for instants and
 * numbers, `integer` 0 or 1 for truths.
 */
export const migrations: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-people': people,
  '0004-retention': retention,
  '0005-live-sources': liveSources,
  '0006-jobs': jobs,
  '0007-intake': intake,
  '0008-identity': identity,
  '0009-zones': zones,
  '0010-authority': authority,
  '0011-tracker': tracker,
  '0012-forgotten-watches': forgottenWatches,
  '0013-sources-that-end': sourcesThatEnd,
  '0014-visits': visits,
  '0015-missing-evidence': missingEvidence,
  '0016-source-names': sourceNames,
  '0017-derived-days': derivedDays,
  '0018-inspections': inspections,
  '0019-development': development,
  '0020-issues': issues,
  '0024-alerts': alerts,
  '0030-account-tokens': accountTokens,
  '0031-brands': brands,
  '0032-mention-versions': mentionVersions,
  '0033-engines': engines,
  '0034-scans': scans,
  '0035-sentiment': sentiment,
  '0036-fixes': fixes,
  '0040-search-data': searchData,
  '0042-sessions': sessions,
  '0043-import-receipts': importReceipts,
  '0044-sign-in-links': signInLinks,
  '0046-alias-rules': aliasRules,
  '0047-deprecated-uses': deprecatedUses,
  '0048-classifications': classifications,
  '0050-site-aliases': siteAliases,
  '0051-nodes': nodes,
  '0052-cloudflare-questions': cloudflareQuestions,
  '0054-crawler-months': crawlerMonths,
  '0055-node-use': nodeUse,
  '0056-earlier-order-keys': earlierOrderKeys,
  '0057-sender-records': senderRecords,
}
