import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  findByKey,
  insert,
  requireById,
  findPage,
  remove,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import {
  addPublicArea,
  deletePublicAreas,
  editPublicArea,
  listPublicAreas,
  getPublicArea,
  publicArea,
} from '../contract/public-area.ts'
import { building } from '../contract/building.ts'

uniqueMessages({ public_area_code_live: '该项目已有此公共区域编码' })

const assertBuildingExists = async (
  tx: Tx,
  scope: Scope,
  project: string,
  code: string | undefined,
): Promise<void> => {
  if (code && !(await findByKey(tx, building, scope, code, project)))
    throw invalidInput([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目' }])
}

export const publicAreaHandlers = [
  reads(listPublicAreas, (q, { db, scope }) =>
    findPage(db, publicArea, scope, q, {
      filters: listPublicAreas.input.filters!,
      sums: listPublicAreas.output.sums!,
    }),
  ),
  reads(getPublicArea, ({ id }, { db, scope }) => requireById(db, publicArea, scope, id)),
  writes(addPublicArea, async (draft, { tx, scope }) => {
    await assertBuildingExists(tx, scope, draft.projectCode, draft.buildCode)
    return insert(tx, publicArea, scope, {
      ...draft,
      code: draft.code ?? (await tx.one<{ code: string }>(sql`select next_code('A') as code`))!.code,
    })
  }),
  writes(editPublicArea, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的公共区域')
    const [before] = await findByIds(tx, publicArea, scope, [id], true)
    if (!before) throw notFound()
    await assertBuildingExists(tx, scope, before.projectCode, draft.buildCode)
    return update(
      tx,
      publicArea,
      scope,
      id,
      { ...withAllFields(editPublicArea.input, draft), projectCode: before.projectCode, code: before.code },
      { version },
    )
  }),
  writes(deletePublicAreas, async ({ ids, reason }, { tx, scope }) => {
    for (const a of await findByIds(tx, publicArea, scope, ids, true)) {
      await assertDeletable(tx, scope, 'publicArea', `公共区域「${a.name}」`, [a])
    }
    await remove(tx, publicArea, scope, ids, reason)
  }),
]
