import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, byKey, insert, need, page, remove, update, whole } from '#kit/server/table.ts'
import { addArea, deleteAreas, editArea, listAreas, oneArea, publicArea } from '../contract/area.ts'
import { building } from '../contract/building.ts'

uniqueSays({ public_area_code_live: '该项目已有此公共区域编码' })

const knownBuilding = async (
  tx: Tx,
  scope: Scope,
  project: string,
  code: string | undefined,
): Promise<void> => {
  if (code && !(await byKey(tx, building, scope, code, project)))
    throw wrong([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目' }])
}

export const areaHandlers = [
  reads(listAreas, (q, { db, scope }) =>
    page(db, publicArea, scope, q, { filters: listAreas.input.filters!, sums: listAreas.output.sums! }),
  ),
  reads(oneArea, ({ id }, { db, scope }) => need(db, publicArea, scope, id)),
  writes(addArea, async (draft, { tx, scope }) => {
    await knownBuilding(tx, scope, draft.projectCode, draft.buildCode)
    return insert(tx, publicArea, scope, {
      ...draft,
      code: draft.code ?? (await tx.one<{ code: string }>(sql`select next_code('A') as code`))!.code,
    })
  }),
  writes(editArea, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的公共区域')
    const [before] = await byIds(tx, publicArea, scope, [id], true)
    if (!before) throw absent()
    await knownBuilding(tx, scope, before.projectCode, draft.buildCode)
    return update(
      tx,
      publicArea,
      scope,
      id,
      { ...whole(editArea.input, draft), projectCode: before.projectCode, code: before.code },
      { version },
    )
  }),
  writes(deleteAreas, async ({ ids, reason }, { tx, scope }) => {
    for (const a of await byIds(tx, publicArea, scope, ids, true)) {
      await mayGo(tx, scope, 'publicArea', `公共区域「${a.name}」`, [a])
    }
    await remove(tx, publicArea, scope, ids, reason)
  }),
]
