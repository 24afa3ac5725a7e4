import type { Id } from '#kit/domain/id.ts'
import type { Permission } from '#kit/contract/call.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'

/**
 * The part of the company's data that somebody may touch (PERM-6): all, or projects, each whole or by
 * buildings.
 */
export interface DataDomain {
  readonly all: boolean
  readonly projects: ReadonlyMap<string, ReadonlySet<string> | null>
}

export const unrestrictedDomain: DataDomain = { all: true, projects: new Map() }

/** Who asks. Identity comes from the token alone. */
export interface Caller {
  readonly ownerId: Id
  readonly operatorId: Id
  readonly name: string
  /** The company's one owner account, whom no role limits (PERM-1). */
  readonly isOwner: boolean
  readonly permissions: ReadonlySet<string>
  readonly domain: DataDomain
  /** May see phones and ID cards in full (PERM-7). */
  readonly canSeePersonalData: boolean
  /** Must first change the password (PERM-9): only calls that need no right are open. */
  readonly mustChangePassword?: boolean
  /** Must first bind a second factor, which one of the roles requires: as above. */
  readonly mustBindSecondFactor?: boolean
  /**
   * Minutes without use after which the session is over (PERM-10); eight hours unless the company says less.
   */
  readonly idleMinutes?: number
  /** Who can grant what is missing, as text for people (`超级管理员 王五`). */
  readonly granterLabel?: string
  /**
   * Menus that projects do not use, by menu: no call of one is open in such a project, its owner's neither.
   */
  readonly closedMenus?: ReadonlyMap<string, ReadonlySet<string>>
  /** Every project of the company, where it closes menus: what an unrestricted domain is narrowed from. */
  readonly companyProjects?: readonly string[]
  /** Modules that the company has not taken: no right in them holds, its owner's neither (PERM-2). */
  readonly disabledModules?: ReadonlySet<string>
  /** A program with a key of the company: `operatorId` is the key's number, which no account has. */
  readonly apiKey?: CallerKey
}

/** The key that a program presents instead of a session. */
export interface CallerKey {
  readonly perMinute: number
  /** Milliseconds since 1970, `Infinity` for a key without an end. */
  readonly expiresAt: number
}

export interface Scope extends Caller {
  /** The project chosen in the header bar, inside the domain; empty for all of them. */
  readonly projectCode: string
  readonly ip: string
  readonly requestId: string
  /** When the request came in (ISO 8601, milliseconds): what its writes are dated with. */
  readonly time: string
}

/**
 * The product itself at work for a company, as its clock does at night: nobody's token, the whole domain.
 * `time` is that of the request, or of the app's clock (`clockScope`).
 */
export const systemScope = (ownerId: Id, time: string): Scope => ({
  ownerId,
  operatorId: 0,
  name: '系统',
  isOwner: true,
  permissions: new Set(),
  domain: unrestrictedDomain,
  canSeePersonalData: true,
  projectCode: '',
  ip: '',
  requestId: 'cron',
  time,
})

/** The same at the time of the app's clock. */
export const clockScope = (app: { readonly clock: () => number }, ownerId: Id): Scope =>
  systemScope(ownerId, new Date(app.clock()).toISOString())

/** A scope for reading alone: it has no time, and the database refuses writes with it. */
export const systemReadScope = (ownerId: Id): Scope => systemScope(ownerId, '')

/** Whether the operator has set the password and bound the second factor, where one is required (PERM-9). */
export const isSetUp = (caller: Caller): boolean => !caller.mustChangePassword && !caller.mustBindSecondFactor

export const hasPermission = (caller: Caller, p: Permission): boolean =>
  (caller.isOwner || caller.permissions.has(p.key)) && !caller.disabledModules?.has(p.module)

export const moduleNotEnabled = (caller: Caller): Refused =>
  new Refused(resultCode.forbidden, `公司未开通这项功能，请联系${caller.granterLabel ?? '管理员'}开通`)

export const requirePermission = (caller: Caller, permission: Permission): void => {
  if (caller.disabledModules?.has(permission.module)) throw moduleNotEnabled(caller)
  if (!hasPermission(caller, permission))
    throw new Refused(
      resultCode.forbidden,
      `无权执行此操作：需要「${permission.label}」权限，请联系${caller.granterLabel ?? '管理员'}授权`,
    )
}

export const hasProject = (d: DataDomain, project: string): boolean => d.all || d.projects.has(project)

export const hasBuilding = (d: DataDomain, project: string, building: string): boolean => {
  if (d.all) return true
  const b = d.projects.get(project)
  return b === null || (b !== undefined && b.has(building))
}

/** The caller without the projects that do not use a menu. */
export function withoutClosedProjects<T extends Caller>(caller: T, menu: string): T {
  const closed = caller.closedMenus?.get(menu)
  if (!closed?.size) return caller
  const { domain, companyProjects = [] } = caller
  const places = domain.all ? companyProjects.map(project => [project, null] as const) : [...domain.projects]
  return { ...caller, domain: { all: false, projects: new Map(places.filter(([p]) => !closed.has(p))) } }
}

export const outOfDomain = (): Refused => new Refused(resultCode.forbidden, '无权访问该项目')

/** Refuses a project outside the data domain; returns it otherwise. */
export const requireProject = (d: DataDomain, project: string): string => {
  if (!hasProject(d, project)) throw outOfDomain()
  return project
}
