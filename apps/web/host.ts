import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { send } from '#kit/web/send.ts'
import type { Project } from '#kit/web/session.ts'
import type { Host } from '#kit/web/shell/host.ts'
import { rememberProject } from '#modules/accounts/contract/account.ts'
import { logout, renewToken } from '#modules/accounts/contract/sign-in.ts'
import { dailyScreens } from 'virtual:manifests'
import { messages, tasks } from './notices.ts'
import { loadRights } from './rights.ts'
import { pageOf, preloadPage } from './pages.ts'
import { screens } from './screens.ts'
import { waiting } from './waiting.ts'

const Feedback = lazyComponent(() => import('#modules/system/web/public.ts').then(m => m.SuggestionDialog))

const maxProjects = 1000

const loadProjects = async (signal?: AbortSignal): Promise<readonly Project[]> => {
  // With what every page of a project needs of the estates, not with the shell.
  const { listEstates } = await import('#modules/estates/contract/estate.ts')
  const { rows } = await send(
    listEstates,
    { page: 1, size: maxProjects },
    { project: 0, quiet: true, ...(signal ? { signal } : {}) },
  )
  return rows.map(e => ({ code: e.projectCode, name: e.name }))
}

/** What the product gives its shell. */
export const host: Host = {
  product: '安居',
  version: '1.1.5',
  screens,
  searchHint: '搜索房号、姓名、车牌、单号或功能',
  dailyScreens,
  pageOf,
  permissionLabel: async key => (await import('virtual:permission-labels')).default[key],
  preload: preloadPage,
  projects: loadProjects,
  renew: renewToken,
  tasks,
  messages,
  ...waiting,
  help: [{ label: '意见反馈', Draw: Feedback }],
  rights: loadRights,
  Bands: lazyComponent(() => import('./page-bands.tsx').then(m => m.default)),
  loadExtensions: async () => (await import('./extensions.ts')).loadExtensions(),
  calls: async () => (await import('./calls.ts')).allCalls,
  rememberProject: code => send(rememberProject, { projectCode: code }, { quiet: true }),
  signOut: () => send(logout, undefined, { quiet: true, timeout: 5000 }),
}
