import { registerScreens } from '#kit/web/screen-registry.ts'
import type { ModuleScreen, ScreenMap } from '#kit/web/shell/screen-map.ts'
import { signInModule, signInScreens } from 'virtual:sign-in-screens'
import { addRoutes } from './pages.ts'

/**
 * Addresses, titles and permissions of all modules: needed once somebody has signed in, and to tell whether
 * an address exists. For them `manifest-plugin.ts` lets the browser fetch the list beside the first script.
 */
let loading: Promise<ScreenMap> | undefined

addRoutes(signInModule, () => import('#modules/accounts/web/routes.ts'))
registerScreens([{ screens: signInScreens }])

const keyOf = (path: string): string => path.toLowerCase().replace(/(?<=.)\/+$/, '')
const signInByPath = new Map(
  signInScreens.map(screen => [keyOf(screen.path), { ...screen, module: signInModule }]),
)

/** A screen on the way to a session; it is known without the list. */
export const findSignInScreen = (path: string): ModuleScreen | undefined => signInByPath.get(keyOf(path))

/** The list of all screens, fetched once, after a failure again: the same promise always, as `use` needs. */
export function loadScreens(): Promise<ScreenMap> {
  loading ??= import('./screens.ts').then(
    ({ screens }) => screens,
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}
