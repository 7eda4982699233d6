/** Surface B, as far as it is built, in the order of its reference (account API 2). */
import { getAccount } from './account.ts'
import { getAnswer, listAnswers } from './answers.ts'
import { getBrand, listBrands } from './brands.ts'
import { acceptFix, completeFix, dismissFix, getFix, listFixes } from './fixes.ts'
import { addQuestions, archiveQuestion, listQuestions, restoreQuestion } from './questions.ts'
import { getBrandReport } from './report.ts'
import { getUrlReport } from './urls.ts'

export const accountApiOperations = [
  getAccount,
  listBrands,
  getBrand,
  getBrandReport,
  getUrlReport,
  listQuestions,
  addQuestions,
  archiveQuestion,
  restoreQuestion,
  listAnswers,
  getAnswer,
  listFixes,
  getFix,
  acceptFix,
  dismissFix,
  completeFix,
] as const

export type AccountOperation = (typeof accountApiOperations)[number]

export type { Account } from './account.ts'
export type { AnswerList, AnswerListInput, BrandAnswer } from './answers.ts'
export type { Brand, BrandList, BrandListInput } from './brands.ts'
export type { Fix, FixChangeInput, FixEvidenceRef, FixList, FixListInput } from './fixes.ts'
export type { AddedQuestions, BrandQuestion, NewQuestion, QuestionList, QuestionListInput } from './questions.ts'
export type { BrandReport, BrandReportInput } from './report.ts'
export type { UrlReport, UrlReportInput } from './urls.ts'
