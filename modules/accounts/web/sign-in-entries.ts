import { defined } from '#kit/domain/defined.ts'
/** The sign-in screens: the same door with its own name and the place it leads to. */
export interface SignInEntry {
  readonly path: string
  readonly title: string
  readonly name: string
  readonly homePath: string
}

export const signInEntries: readonly SignInEntry[] = [
  { path: '/login', title: '登录', name: 'web', homePath: '/' },
  { path: '/wisdomlogin', title: '智慧平台登录', name: 'wisdom', homePath: '/intelligence' },
  { path: '/psiplogin', title: 'PSIP登录', name: 'psip', homePath: '/work' },
  { path: '/doorwaylogin', title: '门禁系统登录', name: 'doorway', homePath: '/menjinSystem' },
  { path: '/parklogin', title: '停车系统登录', name: 'park', homePath: '/parking' },
  { path: '/officelogin', title: '办公系统登录', name: 'office', homePath: '/internal' },
]

export const findSignInEntry = (path: string): SignInEntry =>
  signInEntries.find(e => e.path === path.toLowerCase().replace(/\/+$/, '')) ?? defined(signInEntries[0])

/**
 * Where to go after the door: the way back that was asked for, if it leads into this site, else the entry's
 * own place.
 */
export function getLandingPath(search: string, entry: SignInEntry): string {
  const back = new URLSearchParams(search).get('redirect') ?? ''
  return /^\/(?![/\\])/.test(back) && !/^\/(login|changepassword|bindfactor|setup)\b/i.test(back)
    ? back
    : entry.homePath
}
