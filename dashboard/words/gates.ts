/** The effect of each gate. A gate without words here is shown with those of the service. */
const GATE_WORDS: Readonly<Record<string, { label: string; about: string }>> = {
  crawler_authority_v2: {
    label: 'Authority of sources',
    about:
      'Open: each host and day of crawlers is counted by the one source assigned to it, and others are compared. Closed: of the counting sources, the one with better coverage counts each host and day.',
  },
  analytics_overview_v2: {
    label: 'Comparison in the visits overview',
    about: 'Open: the overview compares with the period before. Closed: no comparison.',
  },
  analytics_overview_reader: reader('Visits', 'the visits overview'),
  analytics_sources_reader: reader('Acquisition', 'acquisition'),
  analytics_pages_reader: reader('Pages', 'visited pages'),
  analytics_conversions_reader: reader('Conversions', 'conversions'),
  analytics_funnels_reader: reader('List of funnels', 'the list of funnels'),
  analytics_funnel_reader: reader('Single funnels', 'single funnels'),
  analytics_journeys_reader: reader('Journeys', 'journeys'),
  analytics_revenue_reader: reader('Revenue', 'revenue'),
}

function reader(label: string, what: string) {
  return { label, about: `Closed: ${what} is not available, here and in the API. Collection continues.` }
}

export const gateWords = (name: string, about: string) => GATE_WORDS[name] ?? { label: name, about }
