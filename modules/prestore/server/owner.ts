import type { ChoiceOf } from '#kit/contract/field.ts'
import { Refused, code, wrong } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { inBuilding, inProject, outside, type Scope } from '#kit/server/scope.ts'
import type { ownerKind } from '../contract/choices.ts'

export interface Named {
  readonly name: string
  readonly building?: string
  readonly payer?: string
}

type Find = (owner: number, project: string, key: string) => RawBuilder<unknown>

const finds: Readonly<Record<ChoiceOf<typeof ownerKind>, Find | undefined>> = {
  room: (owner, project, key) =>
    sql`
      select path as name, build_code as building, payer_name as payer
      from room
      where owner_id = ${owner} and project_code = ${project} and code = ${key} and delete_tag = 0
    `,
  resident: (owner, _, key) =>
    sql`
      select name, name as payer
      from resident
      where owner_id = ${owner} and id::text = ${key} and delete_tag = 0
    `,
  company: (owner, project, key) =>
    sql`
      select name, name as payer
      from company
      where owner_id = ${owner} and project_code = ${project} and id::text = ${key} and delete_tag = 0
    `,
  car: undefined,
}

/**
 * What an account's owner is called, and where he is; refuses one that is not there or lies outside the
 * caller's data domain.
 */
export async function nameOwner(
  db: Db,
  scope: Scope,
  project: string,
  kind: ChoiceOf<typeof ownerKind>,
  key: string,
): Promise<Named> {
  if (!inProject(scope.domain, project)) throw outside()
  const find = finds[kind]
  if (!find) throw wrong([{ Field: 'OwnerKind', Message: '车辆还没有登记，请用房间或住户的账户' }])
  const found = await db.one<Named>(find(scope.ownerId, project, key) as never)
  if (!found) throw new Refused(code.absent, '账户主体不存在或已被删除，请重新选择')
  if (found.building && !inBuilding(scope.domain, project, found.building)) throw outside()
  return found
}
