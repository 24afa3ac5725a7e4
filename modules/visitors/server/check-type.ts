import { invalidInput } from '#kit/contract/wire.ts'
import { keysOf } from '#kit/contract/field.ts'
import type { Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, update } from '#kit/server/table.ts'
import {
  listCheckTypes,
  saveCheckType,
  saveCheckTypes,
  visitorCheckType,
  type VisitorCheckType,
} from '../contract/check-type.ts'
import { visitorKind } from '../contract/choices.ts'
import { lockProject } from './project-lock.ts'

type KindSetting = Pick<VisitorCheckType, 'visitorKind' | 'checkType' | 'isEnabled'>

/** Every kind, in the order of their declaration. */
export async function checkTypesOf(
  db: Db,
  scope: Scope,
  projectCode: string,
): Promise<readonly VisitorCheckType[]> {
  const stored = await findAll(db, visitorCheckType, scope, { projectCode })
  return keysOf(visitorKind).map(
    kind =>
      stored.find(row => row.visitorKind === kind) ?? {
        id: 0,
        projectCode,
        visitorKind: kind,
        checkType: 'exempt',
        isEnabled: true,
      },
  )
}

async function saveKinds(projectCode: string, kinds: readonly KindSetting[], c: WriteContext) {
  const { tx, scope } = c
  const names = kinds.map(each => each.visitorKind)
  if (new Set(names).size < names.length)
    throw invalidInput([{ Field: 'Items', Message: '访客类别重复，请删除重复的一行' }])
  await lockProject(tx, scope, projectCode)
  const stored = await checkTypesOf(tx, scope, projectCode)
  for (const kind of kinds) {
    const before = stored.find(row => row.visitorKind === kind.visitorKind)
    await (before?.id
      ? update(tx, visitorCheckType, scope, before.id, kind)
      : insert(tx, visitorCheckType, scope, { projectCode, ...kind }))
  }
  return checkTypesOf(tx, scope, projectCode)
}

export const checkTypeHandlers = [
  reads(listCheckTypes, ({ projectCode }, { db, scope }) => checkTypesOf(db, scope, projectCode)),
  writes(saveCheckType, ({ projectCode, ...kind }, c) => saveKinds(projectCode, [kind], c)),
  writes(saveCheckTypes, ({ projectCode, kinds }, c) => saveKinds(projectCode, kinds, c)),
]
