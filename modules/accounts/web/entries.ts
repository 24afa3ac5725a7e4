/** The sign-in screens: the same door with its own name and the place it leads to. */
export interface Entry {
  readonly path: string
  readonly title: string
  readonly name: string
  readonly lands: string
}

export const entries: readonly Entry[] = [
  { path: '/login', title: '登录', name: 'web', lands: '/' },
  { path: '/wisdomlogin', title: '智慧平台登录', name: 'wisdom', lands: '/intelligence' },
  { path: '/psiplogin', title: 'PSIP登录', name: 'psip', lands: '/work' },
  { path: '/doorwaylogin', title: '门禁系统登录', name: 'doorway', lands: '/menjinSystem' },
  { path: '/parklogin', title: '停车系统登录', name: 'park', lands: '/parking' },
  { path: '/officelogin', title: '办公系统登录', name: 'office', lands: '/internal' },
]

export const entryAt = (path: string): Entry =>
  entries.find(e => e.path === path.toLowerCase().replace(/\/+$/, '')) ?? entries[0]!

/**
 * Where to go after the door: the way back that was asked for, if it leads into this site, else the entry's
 * own place.
 */
export function landing(search: string, entry: Entry): string {
  const back = new URLSearchParams(search).get('redirect') ?? ''
  return /^\/(?![/\\])/.test(back) && !/^\/(login|changepassword|bindfactor|setup)\b/i.test(back)
    ? back
    : entry.lands
}
