import { parseId, type Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
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

const ownerQueries: Readonly<Record<ChoiceOf<typeof ownerKind>, OwnerQuery>> = {
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
  car: (ownerId, project, key) =>
    sql<AccountOwnerInfo>`
      select c.plate_no as name, r.build_code as building, c.owner_name as payer
      from car c
      left join room r on r.owner_id = ${ownerId} and r.project_code = c.project_code and r.code = c.room_code
      where c.owner_id = ${ownerId} and c.project_code = ${project} and c.id = ${parseId(key)} and ${notDeleted('c')}
    `,
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
  const found = await db.one<AccountOwnerInfo>(ownerQueries[kind](scope.ownerId, project, key))
  if (!found) throw new Refused(resultCode.notFound, '账户主体不存在或已被删除，请重新选择')
  if (found.building && !hasBuilding(scope.domain, project, found.building)) throw outOfDomain()
  return found
}
