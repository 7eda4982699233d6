/** Signs in with the link of the fragment, and opens the dashboard. */
const state = document.getElementById('state')
const token = location.hash.slice(1)
// Out of the address bar and the history: whoever looks there later finds no link.
history.replaceState(null, '', location.pathname)

const answer = await fetch('/dashboard-api/signInByLink', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ token }),
  credentials: 'same-origin',
}).catch(() => null)
if (answer === null) state.textContent = 'The service does not answer. Try again in a moment.'
else if (answer.ok) location.replace('/')
else {
  const { detail } = await answer.json().catch(() => ({}))
  state.textContent = detail ?? 'The service failed to answer. Try again in a moment.'
}
