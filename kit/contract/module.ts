import type { Permission } from './call.ts'

/** The sections of the menu, in order. */
export const menuSections = {
  work: '工作台',
  fee: '收费',
  people: '房客',
  service: '服务',
  access: '通行',
  device: '设备',
  site: '现场',
  internal: '内部',
  ticket: '票务',
  stat: '统计',
  files: '云文件',
  setting: '设置',
} as const

export type MenuSection = keyof typeof menuSections

export const permissionFlags = { view: '查看', add: '新增', edit: '编辑', del: '删除' } as const
export type PermissionFlag = keyof typeof permissionFlags

export interface Menu<B extends string = string> {
  readonly key: string
  readonly label: string
  /** What it allows beyond looking moves money or power: a role that gives it is offered a second factor. */
  readonly sensitive?: boolean
  readonly permissions: { readonly [key in PermissionFlag | B]: Permission }
}

type MenuOptions = {
  readonly [key: string]: {
    readonly label: string
    readonly sensitive?: true
    readonly buttons?: { readonly [key: string]: string }
  }
}

type ButtonsOf<M> = M extends { readonly buttons: infer B } ? keyof B & string : never

/** What is done on a screen under another name than its title, with the address that begins it. */
export interface ScreenTask {
  readonly text: string
  /** The product's own word, where `text` is another that people type. */
  readonly label?: string
  /** Without the `?`. */
  readonly query: string
  /** Key of the permission that it needs beside the screen's own. */
  readonly right?: string
}

/**
 * A screen of the module. With a `group` it is in the menu of its section; without, it is reached from
 * another screen.
 */
export interface Screen {
  readonly path: string
  readonly title: string
  /** What is done there under another name than the title's: the palette finds the screen by it. */
  readonly keywords?: readonly (string | ScreenTask)[]
  readonly needs: Permission | undefined
  /** What the work of the screen needs, where looking needs less: links that begin the work ask for it. */
  readonly workNeeds?: Permission
  readonly section?: MenuSection
  readonly group?: string
  /** Opens this screen instead (a group path). */
  readonly redirectTo?: string
  /** Stands outside the shell (sign-in, print). */
  readonly standalone?: boolean
  /** For the phones of people without an account: built apart, without the back office. */
  readonly publicPage?: boolean
  /** Opens on a phone also without a network, once it was opened with one. */
  readonly offline?: boolean
  /** The panel starts collapsed (board, cashier, wizard). */
  readonly collapsedPanel?: boolean
  /** Can show all projects at once (全部项目 in the header bar). */
  readonly allProjects?: boolean
}

/** What every such screen has in its manifest. */
export const publicScreen = { needs: undefined, standalone: true, publicPage: true } as const

/** A module's manifest: its name, the permissions a role may grant in it, its screens. */
export interface ModuleManifest {
  readonly name: string
  readonly label: string
  /** Its calls are for people who have signed in: an API key gets none of its permissions. */
  readonly sessionOnly?: boolean
  readonly menus: readonly Menu[]
  readonly screens: readonly Screen[]
}

/* @__NO_SIDE_EFFECTS__ */
/**
 * The permissions of a module, typed: `menus('rooms', { room: { label: '房间管理', buttons: { import: '导入' }
 * } }).room.permissions.import`.
 */
export function menus<const M extends MenuOptions>(
  module: string,
  of: M,
): { readonly [K in keyof M & string]: Menu<ButtonsOf<M[K]>> } {
  const one = ([menu, { label, sensitive, buttons = {} }]: [string, MenuOptions[string]]): [string, Menu] => [
    menu,
    {
      key: `${module}.${menu}`,
      label,
      ...(sensitive && { sensitive }),
      permissions: Object.fromEntries(
        Object.entries({ ...permissionFlags, ...buttons }).map(([flag, what]) => [
          flag,
          {
            key: `${module}.${menu}.${flag}`,
            module,
            menu: `${module}.${menu}`,
            flag,
            label: `${label}·${what}`,
          },
        ]),
      ) as Menu['permissions'],
    },
  ]
  return Object.fromEntries(Object.entries<MenuOptions[string]>(of).map(one)) as never
}

// Marked as free of side effects: a bundle keeps only the used part of a manifest.
/* @__NO_SIDE_EFFECTS__ */
export const defineModule = <const S extends readonly Screen[]>(manifest: {
  name: string
  label: string
  sessionOnly?: true
  menus: { readonly [key: string]: Menu }
  screens: S
}): Omit<ModuleManifest, 'screens'> & { readonly screens: S } => ({
  ...manifest,
  menus: Object.values(manifest.menus),
})
