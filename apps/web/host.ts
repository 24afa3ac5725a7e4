import { flags } from '#kit/contract/module.ts'
import { later } from '#kit/web/later.tsx'
import { send } from '#kit/web/send.ts'
import type { Project } from '#kit/web/session.ts'
import type { Host } from '#kit/web/shell/host.ts'
import { rememberProject } from '#modules/accounts/contract/account.ts'
import { myMenus, type MenuNode } from '#modules/accounts/contract/permission.ts'
import { logout, renewToken } from '#modules/accounts/contract/sign-in.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { messages } from './messages.ts'
import { page, screens, warm } from './screens.tsx'
import { tasks } from './tasks.ts'

const Feedback = later(() => import('#modules/system/web/public.ts').then(m => m.Feedback))

/** The keys behind a tree of menus: `rooms.room.edit`. */
export const keysOf = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap(n => [
    ...(Object.keys(flags) as (keyof typeof flags)[])
      .filter(f => n[`allow${f[0]!.toUpperCase()}${f.slice(1)}` as 'allowView'])
      .map(f => `${n.menuCode}.${f}`),
    ...(n.buttonCodes ?? []).map(b => `${n.menuCode}.${b}`),
    ...keysOf(n.children ?? []),
  ])

const mostProjects = 1000

const projects = async (signal?: AbortSignal): Promise<readonly Project[]> => {
  const { rows } = await send(
    listEstates,
    { page: 1, size: mostProjects },
    { project: 0, quiet: true, ...(signal ? { signal } : {}) },
  )
  return rows.map(e => ({ code: e.projectCode, name: e.name }))
}

/** What the product lends to its shell. */
export const host: Host = {
  product: '安居',
  version: '1.1.5',
  screens,
  page,
  warm,
  projects,
  renew: renewToken,
  tasks,
  messages,
  help: [{ label: '意见反馈', Draw: Feedback }],
  rights: async signal =>
    new Set(keysOf(await send(myMenus, undefined, { quiet: true, ...(signal ? { signal } : {}) }))),
  provide: async () => (await import('./lent.ts')).provide(),
  calls: async () => (await import('./lent.ts')).calls(),
  rememberProject: code => send(rememberProject, { projectCode: code }, { quiet: true }),
  signOut: () => send(logout, undefined, { quiet: true, timeout: 5000 }),
}
