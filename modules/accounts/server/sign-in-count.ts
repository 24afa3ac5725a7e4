import { declareCounter } from '#kit/server/observation/counter.ts'

/** How sign-ins end, whatever way they come; never by account, which a monitor need not know. */
export const signInCounter = declareCounter('sign_in_total', 'Sign-ins by how they ended', 'result', [
  'ok',
  'wrong_password',
  'captcha',
  'locked',
  'second_factor',
  'refused',
])
