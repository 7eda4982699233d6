import './tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { createQueries } from './read/queries.ts'
import { createDashboard } from './router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
const queries = createQueries()
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={createDashboard(queries)} />
  </QueryClientProvider>,
)
