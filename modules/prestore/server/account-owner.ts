import type { Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { Refused, resultCode, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { ownerKind } from '../contract/choices.ts'

export interface AccountOwnerInfo {
  readonly name: string
  readonly building?: string
  readonly payer?: string
}

type OwnerQuery = (ownerId: Id, project: string, key: string) => RawBuilder<AccountOwnerInfo>

const ownerQueries: Readonly<Record<ChoiceOf<typeof ownerKind>, OwnerQuery | undefined>> = {
  room: (ownerId, project, key) =>
    sql<AccountOwnerInfo>`
      select path as name, build_code as building, payer_name as payer
      from room
      where owner_id = ${ownerId} and project_code = ${project} and code = ${key} and ${notDeleted()}
    `,
  resident: (ownerId, _, key) =>
    sql<AccountOwnerInfo>`
      select name, name as payer
      from resident
      where owner_id = ${ownerId} and id::text = ${key} and ${notDeleted()}
    `,
  company: (ownerId, project, key) =>
    sql<AccountOwnerInfo>`
      select name, name as payer
      from company
      where owner_id = ${ownerId} and project_code = ${project} and id::text = ${key} and ${notDeleted()}
    `,
  car: undefined,
}

/**
 * The name and place of an account's owner; refuses one that does not exist or is outside the caller's data
 * domain.
 */
export async function findAccountOwner(
  db: Db,
  scope: Scope,
  project: string,
  kind: ChoiceOf<typeof ownerKind>,
  key: string,
): Promise<AccountOwnerInfo> {
  if (!hasProject(scope.domain, project)) throw outOfDomain()
  const find = ownerQueries[kind]
  if (!find) throw invalidInput([{ Field: 'OwnerKind', Message: '车辆尚未登记，请用房间或住户的账户' }])
  const found = await db.one<AccountOwnerInfo>(find(scope.ownerId, project, key))
  if (!found) throw new Refused(resultCode.notFound, '账户主体不存在或已被删除，请重新选择')
  if (found.building && !hasBuilding(scope.domain, project, found.building)) throw outOfDomain()
  return found
}
