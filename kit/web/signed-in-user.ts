import type { Id } from '#kit/domain/id.ts'

/** Who is signed in, as the login returns it and local storage keeps it (0§3). */
export interface Manager {
  readonly id: Id
  readonly ownerId: Id
  readonly loginCode: string
  readonly companyName: string
  readonly realName: string
  readonly mobile?: string
  readonly headImage?: string
  readonly managerType?: string
  /** Must first change the password (PERM-9). */
  readonly mustChange?: boolean
  /** Must first bind a second factor that a role requires. */
  readonly mustBind?: boolean
  /** Minutes without a request after which the session ends (PERM-10). */
  readonly idleMinutes?: number
  /** May see phones and documents in full (PERM-7). */
  readonly showPrivacy?: boolean
  /** Sees every project of the company; else those of the data domain (PERM-6). */
  readonly allProject?: boolean
  /** Whom to ask for a right (`超级管理员 王五`). */
  readonly granter?: string
}

export interface SignedInUser {
  readonly token: string
  readonly manager: Manager
  readonly nearestProjectCode?: string
}

export type LooseRecord = Readonly<Record<string, unknown>>

/**
 * Local storage holds the login answer under the names of the specification, so that other pages of the same
 * origin can read it.
 */
export const storageNames: readonly (readonly [keyof Manager, string])[] = [
  ['id', 'ID'],
  ['ownerId', 'OwnerId'],
  ['loginCode', 'Logincode'],
  ['companyName', 'PropertyCompanyName'],
  ['realName', 'RealName'],
  ['mobile', 'Mobile'],
  ['headImage', 'HeadImge'],
  ['managerType', 'ManagerType'],
  ['mustChange', 'MustChangePw'],
  ['mustBind', 'MustBindTotp'],
  ['idleMinutes', 'IdleMinutes'],
  ['showPrivacy', 'ShowPrivacy'],
  ['allProject', 'AllProject'],
  ['granter', 'Granter'],
]

export const toStorage = (s: SignedInUser): LooseRecord => ({
  Token: s.token,
  NearestProjectCode: s.nearestProjectCode ?? '',
  Manager: Object.fromEntries(storageNames.map(([ours, theirs]) => [theirs, s.manager[ours]])),
})
