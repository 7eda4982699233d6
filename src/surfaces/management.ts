/** The management operations with their functions: one table for every surface that offers them. */
import { manageAccount } from '#accounts/manage-account.ts'
import { manageTokens } from '#accounts/manage-tokens.ts'
import { manageUsers } from '#accounts/manage-users.ts'
import { manageAlerts } from '#alerts/manage-alerts.ts'
import { manageAnswers } from '#brands/answers/manage-answers.ts'
import { manageEngines } from '#brands/engines/manage-engines.ts'
import { manageFixes } from '#brands/fixes/manage-fixes.ts'
import { manageBrands } from '#brands/manage-brands.ts'
import { manageQuestions } from '#brands/questions/manage-questions.ts'
import { manageScans } from '#brands/scans/manage-scans.ts'
import { manageSearchData } from '#brands/search-data/manage-search-data.ts'
import type { ManagementOperation } from '#contract/management-api/index.ts'
import { manageAuthority } from '#crawlers/authority/manage-authority.ts'
import { manageLists } from '#crawlers/identity/lists/manage-lists.ts'
import { manageReport } from '#crawlers/manage-report.ts'
import { manageRegistry } from '#crawlers/registry/manage-registry.ts'
import type { Implementations } from '#implementation.ts'
import { manageInspections } from '#inspections/manage-inspections.ts'
import { manageIntake } from '#intake/manage-sources.ts'
import { manageIssues } from '#issues/manage-issues.ts'
import type { ManagementServices } from '#management-services.ts'
import { manageNodes } from '#nodes/manage-nodes.ts'
import { manageKeys } from '#sites/manage-keys.ts'
import { manageMembers } from '#sites/manage-members.ts'
import { manageSites } from '#sites/manage-sites.ts'
import { manageSources } from '#sources/manage-sources.ts'
import { manageConversions, manageFunnels, manageProperties } from '#tracker/definitions/manage-definitions.ts'
import { manageTracker } from '#tracker/keys/manage-tracker.ts'
import { manageVisitorReport } from '#tracker/manage-report.ts'
import { adviseFinding } from './finding-advice.ts'

export const managementImplementations: Implementations<ManagementOperation, ManagementServices> = {
  ...manageSites,
  ...manageKeys,
  ...manageAccount,
  ...manageTokens,
  ...manageBrands,
  ...manageQuestions,
  ...manageFixes,
  ...manageAnswers,
  ...manageEngines,
  ...manageScans,
  ...manageSearchData,
  ...manageUsers,
  ...manageMembers,
  ...manageAuthority,
  ...manageSources,
  ...manageIntake,
  ...manageTracker,
  ...manageProperties,
  ...manageConversions,
  ...manageFunnels,
  ...manageIssues,
  ...manageAlerts,
  ...manageRegistry,
  ...manageLists,
  ...manageInspections,
  ...manageReport,
  ...manageVisitorReport,
  ...manageNodes,
  doctor: async (ctx) => ({ findings: (await ctx.checkHealth()).map(adviseFinding) }),
}
