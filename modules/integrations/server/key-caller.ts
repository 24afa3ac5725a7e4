import type { Day } from '#kit/domain/day.ts'
import { type Database, sql } from '#kit/server/db.ts'
import { unrestrictedDomain, type Caller } from '#kit/server/scope.ts'
import type { LoadCaller } from '#kit/server/session.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { keyPermissionsOf, loadCompanyCaller } from '#modules/accounts/server/public.ts'
import { apiKeyState } from '../contract/api-key.ts'
import { keyExpiryOf } from '../domain/key-rules.ts'

interface KeyRow {
  readonly name: string
  readonly permissions: string[]
  readonly allProject: boolean
  readonly projectCodes?: string[]
  readonly showPrivacy: boolean
  readonly perMinute: number
  readonly expireDate?: Day
}

/** What audit entries and records of tasks call a key: at most 36 characters. */
export const keyCallerName = (name: string): string => `接口密钥「${name}」`

/** The key as a caller: its own permissions and projects, within what its company has taken. */
export const createKeyCallerLoader =
  (database: Database): LoadCaller =>
  async (ownerId, keyId): Promise<Caller | undefined> => {
    const db = database.reader(ownerId)
    const key = await db.one<KeyRow>(sql`
      select name, permissions, all_project, project_codes, show_privacy, per_minute, expire_date
      from api_key
      where owner_id = ${ownerId}
        and id = ${keyId}
        and state = ${code(apiKeyState, 'valid')}
        and ${notDeleted()}
    `)
    const company = key && (await loadCompanyCaller(db, ownerId))
    if (!company) return undefined
    const { closedMenus, companyProjects, disabledModules, granterLabel } = company
    return {
      ownerId,
      operatorId: keyId,
      name: keyCallerName(key.name),
      isOwner: false,
      permissions: new Set(keyPermissionsOf(key.permissions)),
      domain: key.allProject
        ? unrestrictedDomain
        : { all: false, projects: new Map((key.projectCodes ?? []).map(project => [project, null])) },
      canSeePersonalData: key.showPrivacy,
      apiKey: { perMinute: key.perMinute, expiresAt: keyExpiryOf(key.expireDate) },
      ...(closedMenus ? { closedMenus } : {}),
      ...(companyProjects ? { companyProjects } : {}),
      ...(disabledModules ? { disabledModules } : {}),
      ...(granterLabel === undefined ? {} : { granterLabel }),
    }
  }
