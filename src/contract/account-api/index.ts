/** Surface B, as far as it is built, in the order of its reference (account API 2). */
import { getAccount } from './account.ts'
import { getBrand, listBrands } from './brands.ts'
import { addQuestions, archiveQuestion, listQuestions, restoreQuestion } from './questions.ts'

export const accountApiOperations = [
  getAccount,
  listBrands,
  getBrand,
  listQuestions,
  addQuestions,
  archiveQuestion,
  restoreQuestion,
] as const

export type AccountOperation = (typeof accountApiOperations)[number]

export type { Account } from './account.ts'
export type { Brand, BrandList, BrandListInput } from './brands.ts'
export type { AddedQuestions, BrandQuestion, NewQuestion, QuestionList, QuestionListInput } from './questions.ts'
