import type { Permission } from '#kit/contract/call.ts'
import { Refused, code } from '#kit/contract/wire.ts'

/**
 * The part of the company's data that somebody may touch (PERM-6): all, or projects, each whole or by
 * buildings.
 */
export interface Domain {
  readonly all: boolean
  readonly projects: ReadonlyMap<string, ReadonlySet<string> | null>
}

export const wholeDomain: Domain = { all: true, projects: new Map() }

/** Who asks. Identity comes from the token alone. */
export interface Caller {
  readonly ownerId: number
  readonly operatorId: number
  readonly name: string
  /** The company's one owner account, whom no role limits (PERM-1). */
  readonly owner: boolean
  readonly permissions: ReadonlySet<string>
  readonly domain: Domain
  /** May see phones and ID cards in full (PERM-7). */
  readonly privacy: boolean
  /** Must first change the password (PERM-9): only calls that need no right are open. */
  readonly mustChange?: boolean
  /** Must first bind a second factor, which one of his roles asks for: as above. */
  readonly mustBind?: boolean
  /**
   * Minutes without use after which the session is over (PERM-10); eight hours unless the company says less.
   */
  readonly idleMinutes?: number
  /** Who can grant what is missing, in people's words (`超级管理员 王五`). */
  readonly granter?: string
  /** Modules that the company has not taken: no right in them holds, its owner's neither (PERM-2). */
  readonly without?: ReadonlySet<string>
}

export interface Scope extends Caller {
  /** The project chosen in the header bar, inside the domain; empty for all of them. */
  readonly projectCode: string
  readonly ip: string
  readonly requestId: string
}

/** The product itself at work for a company, as its clock does at night: nobody's token, the whole domain. */
export const systemScope = (ownerId: number): Scope => ({
  ownerId,
  operatorId: 0,
  name: '系统',
  owner: true,
  permissions: new Set(),
  domain: wholeDomain,
  privacy: true,
  projectCode: '',
  ip: '',
  requestId: 'cron',
})

export const may = (who: Caller, p: Permission): boolean =>
  (who.owner || who.permissions.has(p.key)) && !who.without?.has(p.module)

export const notTaken = (who: Caller): Refused =>
  new Refused(code.forbidden, `公司没有开通这项功能，请联系${who.granter ?? '管理员'}开通`)

export const needs = (who: Caller, p: Permission): void => {
  if (who.without?.has(p.module)) throw notTaken(who)
  if (!may(who, p))
    throw new Refused(
      code.forbidden,
      `无权执行此操作：需要「${p.label}」权限，请联系${who.granter ?? '管理员'}授权`,
    )
}

export const inProject = (d: Domain, project: string): boolean => d.all || d.projects.has(project)

export const inBuilding = (d: Domain, project: string, building: string): boolean => {
  if (d.all) return true
  const b = d.projects.get(project)
  return b === null || (b !== undefined && b.has(building))
}

export const outside = (): Refused => new Refused(code.forbidden, '无权访问该项目')

/** Refuses a project outside the data domain; answers it otherwise. */
export const within = (d: Domain, project: string): string => {
  if (!inProject(d, project)) throw outside()
  return project
}
