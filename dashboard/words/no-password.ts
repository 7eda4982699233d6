/** For an operator who signed in by a link and has no password to confirm or change yet. */
export const NO_PASSWORD_YET =
  'You signed in with a link and have no password yet. Open the link with which the service offered one when it started (its address begins with /welcome), and sign in with it.'
