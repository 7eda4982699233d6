import Type from 'typebox'
import { closed, Instant, orNull, Uuid } from '../fields.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { brandPath, defineAccountOperation, listFields, listMeta, REFUSALS } from './define.ts'
import { ROUTE_PARAMETERS } from './parameters.ts'

const Names = { name: Type.String(), aliases: Type.Array(Type.String()), domains: Type.Array(Type.String()) }

export const Competitor = Type.Object({ id: Uuid, ...Names }, { title: 'Competitor' })

export const Brand = Type.Object(
  {
    id: Uuid,
    ...Names,
    site_id: orNull(Uuid),
    competitors: Type.Array(Competitor),
    created_at: Instant,
  },
  { title: 'Brand' },
)
export type Brand = Type.Static<typeof Brand>

export const listBrands = defineAccountOperation({
  id: 'listBrands',
  method: 'GET',
  path: '/api/v1/brands',
  tag: 'Brands',
  summary: 'The active brands that the token’s person may read, by name',
  subject: 'account',
  permission: 'use_account',
  effect: 'read',
  params: none,
  query: Type.Object(ROUTE_PARAMETERS.brands),
  output: Type.Object({ meta: listMeta({}), brands: Type.Array(Brand), ...listFields }, { title: 'BrandList' }),
  refusals: REFUSALS,
  mcp: { tool: 'list_brands' },
})

export const getBrand = defineAccountOperation({
  id: 'getBrand',
  method: 'GET',
  path: '/api/v1/brands/{brandId}',
  tag: 'Brands',
  summary: 'One brand with its names, domains and competitors',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed(brandPath),
  query: none,
  output: Brand,
  refusals: REFUSALS,
})

export type BrandListInput = InputOf<typeof listBrands>
export type BrandList = OutputOf<typeof listBrands>
