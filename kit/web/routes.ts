import type { ComponentType } from 'react'
import type { SomePaths } from '#kit/contract/crud-screens.ts'
import type { Extensions } from './workbench.ts'

/** The code of a module's screens, by the path of the manifest. Each is fetched when it is first opened. */
export type Routes = Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
export type { Extensions }

type Loader = Routes[string]

/** A route whose code is one of several screens of a file; `load` names the file to the tools. */
const routeOf = <M>(load: () => Promise<M>, pick: (m: M) => ComponentType): Loader =>
  Object.assign(() => load().then(m => ({ default: pick(m) })), { load })

/** The screens that `crudPages` makes in one file, at the paths that `crudScreens` declared. */
export function crudRoutes(
  { list, add, edit, detail }: SomePaths,
  load: () => Promise<{
    readonly pages: { readonly [key in 'List' | 'Add' | 'Edit' | 'Detail']: ComponentType }
  }>,
): Routes {
  return {
    ...(list ? { [list]: routeOf(load, m => m.pages.List) } : {}),
    ...(add ? { [add]: routeOf(load, m => m.pages.Add) } : {}),
    ...(edit ? { [edit]: routeOf(load, m => m.pages.Edit) } : {}),
    ...(detail ? { [detail]: routeOf(load, m => m.pages.Detail) } : {}),
  }
}
