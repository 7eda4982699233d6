/** Reads the link from the fragment, asks whom it is for, and sends the password that they choose. */
const ids = ['state', 'form', 'email', 'password', 'show', 'error', 'next']
const [state, form, email, password, show, problem, next] = ids.map((id) => document.getElementById(id))
const button = form.querySelector('button')
const token = location.hash.slice(1)

// Out of the address bar and the history: a later reader finds no link.
history.replaceState(null, '', location.pathname)
addEventListener('hashchange', () => location.reload())

/** Resolves with the answer; rejects with the problem's detail as its message. */
async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  }).catch(() => {
    throw new Error('The service does not answer. Try again in a moment.')
  })
  const read = await answer.json().catch(() => ({}))
  if (answer.ok) return read
  throw new Error(read.detail ?? 'The service failed to answer. Try again in a moment.')
}

function say(text) {
  state.textContent = text
}

function complain(text, field) {
  problem.textContent = text
  problem.hidden = text === ''
  for (const each of [email, password]) each.setAttribute('aria-invalid', String(each === field))
  if (text !== '') (field ?? problem).focus()
}

function open(known) {
  say(`This link is in force until ${new Date(known.expires_at).toLocaleString()}, for one password.`)
  if (known.email !== null) {
    email.value = known.email
    email.readOnly = true
  }
  form.hidden = false
  ;(known.email === null ? email : password).focus()
}

async function save() {
  const length = [...password.value].length
  if (!email.validity.valid) return complain('Give the e-mail address to sign in with.', email)
  if (length < 12 || length > 200) return complain(`The password has ${length} characters: choose 12 to 200.`, password)
  complain('')
  button.disabled = true
  try {
    const named = email.readOnly ? {} : { email: email.value }
    const saved = await post('/dashboard-api/choosePassword', { token, password: password.value, ...named })
    form.remove()
    say(`The password of ${saved.email} is saved, and this link is used up.`)
    next.hidden = false
    state.focus()
  } catch (error) {
    complain(error.message)
  } finally {
    button.disabled = false
  }
}

show.addEventListener('change', () => {
  password.type = show.checked ? 'text' : 'password'
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  save()
})

if (token === '')
  say('This page needs a link. Make one in the folder where Spoor is installed: npx spoor user reset-link')
else post('/dashboard-api/findLink', { token }).then(open, (error) => say(error.message))
