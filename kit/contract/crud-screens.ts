import type { Id } from '#kit/domain/id.ts'
import type { Permission } from './call.ts'
import type { MenuSection, PermissionFlag, Screen } from './module.ts'

interface CrudScreenOptions<A, E, D> {
  /** The list; the other screens stand one step under it. */
  readonly path: string
  readonly title: string
  /** What one record is called: `新增商户`. */
  readonly noun: string
  readonly section?: MenuSection
  readonly group?: string
  /** The last steps of the screens that there are; without them forms open over the list. */
  readonly add?: A
  readonly edit?: E
  readonly detail?: D
  readonly detailTitle?: string
  /** A record is added to the chosen project: its form cannot stand over all of them. */
  readonly addsToProject?: boolean
}

/** The addresses of an entity's screens: those that are declared. */
export interface CrudPaths<A = unknown, E = unknown, D = unknown> {
  readonly list: string
  readonly add: A extends string ? string : undefined
  readonly edit: E extends string ? string : undefined
  readonly detail: D extends string ? string : undefined
}

/** Some of the screens of an entity. */
export type SomePaths = { readonly [key in keyof CrudPaths]?: string | undefined }

/* @__NO_SIDE_EFFECTS__ */
/** List, form and detail of an entity as screens of its module, with their titles and rights. */
export function crudScreens<
  const A extends string | undefined = undefined,
  const E extends string | undefined = undefined,
  const D extends string | undefined = undefined,
>(
  menu: { readonly permissions: Readonly<Record<PermissionFlag, Permission>> },
  about: CrudScreenOptions<A, E, D>,
): { readonly paths: CrudPaths<A, E, D>; readonly screens: readonly Screen[] } {
  const { path, noun } = about
  const { view, add, edit } = menu.permissions
  const screens: Screen[] = [
    {
      path,
      title: about.title,
      needs: view,
      ...(about.section ? { section: about.section } : {}),
      ...(about.group ? { group: about.group } : {}),
      allProjects: true,
    },
  ]
  const under = (step: string | undefined, title: string, needs: Permission, allProjects = true) => {
    if (step === undefined) return undefined
    screens.push({ path: `${path}/${step}`, title, needs, ...(allProjects ? { allProjects } : {}) })
    return `${path}/${step}`
  }
  const paths = {
    list: path,
    add: under(about.add, `新增${noun}`, add, !about.addsToProject),
    edit: under(about.edit, `编辑${noun}`, edit),
    detail: under(about.detail, about.detailTitle ?? `${noun}详情`, view),
  } as CrudPaths<A, E, D>
  return { paths, screens }
}

/** The address of one record's screen. */
export const recordPath = (path: string, id: Id): string => `${path}?id=${id}`
