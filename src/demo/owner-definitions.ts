/** The definitions of the owner of a seeded site. */

export const PROPERTY = {
  event_name: 'signup',
  property_key: 'plan',
  scalar_kind: 'enum' as const,
  enum_values: ['free', 'pro', 'team'],
}

const SIGNED_UP = { name: 'Signed up', matcher: { kind: 'event', event_name: 'signup' } }
const PAID = {
  name: 'Signed up for a paid plan',
  matcher: {
    kind: 'event',
    event_name: 'signup',
    property_rules: [{ property_key: 'plan', operator: 'one_of', comparison: { values: ['pro', 'team'] } }],
  },
}
export const CONVERSIONS = [SIGNED_UP, PAID]

export const FUNNEL = {
  name: 'Pricing to sign-up',
  steps: [
    { kind: 'page', path: '/pricing' },
    { kind: 'page', path: '/signup' },
    { kind: 'conversion', conversion: SIGNED_UP.name },
  ],
}
