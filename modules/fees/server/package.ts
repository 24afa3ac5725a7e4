import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { addPackage, deletePackages, editPackage, listPackages, getPackage } from '../contract/package.ts'
import { feePackage, type FeePackage } from '../contract/relation.ts'
import { loadChargeableStandards } from './chargeable-standards.ts'

uniqueMessages({ fee_package_name_live: '该项目已有同名的套餐' })

async function withStandardNames(
  db: Db,
  scope: Scope,
  list: readonly FeePackage[],
): Promise<readonly FeePackage[]> {
  const ids = [...new Set(list.flatMap(p => p.standardIds.map(parseId)))]
  const names = new Map(
    ids.length
      ? (
          await db.rows<{ id: Id; name: string }>(
            sql`select id, name from fee_standard where owner_id = ${scope.ownerId} and id = any(${ids})`,
          )
        ).map(s => [s.id, s.name])
      : [],
  )
  return list.map(p => ({
    ...p,
    standardNames: p.standardIds.map(id => names.get(parseId(id)) ?? '已删除的标准'),
  }))
}

/** FEE-10: standards of the same project, one of each item. */
async function assertPackageStandards(
  db: Db,
  scope: Scope,
  draft: { projectCode: string; standardIds: readonly string[] },
): Promise<void> {
  const ids = [...new Set(draft.standardIds.map(parseId))]
  const found = [...(await loadChargeableStandards(db, scope.ownerId, { ids })).values()]
  const nameByItem = new Map<Id, string>()
  const refuseStandards = (Message: string): never => {
    throw invalidInput([{ Field: 'StandardIDs', Message }])
  }
  if (found.length < ids.length) {
    refuseStandards('所选的收费标准有的已不存在，请重新选择')
  }
  for (const { standard, item } of found) {
    if (standard.projectCode !== draft.projectCode) {
      refuseStandards(`收费标准「${standard.name}」不属于所选项目`)
    }
    const sameItemName = nameByItem.get(item.id)
    if (sameItemName && !item.allowMulti) {
      refuseStandards(
        `「${sameItemName}」与「${standard.name}」同是收费项目「${item.name}」的标准，请只选一个`,
      )
    }
    nameByItem.set(item.id, standard.name)
  }
}

export const packageHandlers = [
  reads(listPackages, async (q, { db, scope }) => {
    const found = await findPage(db, feePackage, scope, q, { filters: ['createTime'] })
    return { ...found, rows: await withStandardNames(db, scope, found.rows) }
  }),
  reads(getPackage, async ({ id }, { db, scope }) =>
    defined((await withStandardNames(db, scope, [await requireById(db, feePackage, scope, id)]))[0]),
  ),
  writes(addPackage, async ({ id: _id, version: _version, ...d }, { tx, scope }) => {
    await assertPackageStandards(tx, scope, d)
    return defined((await withStandardNames(tx, scope, [await insert(tx, feePackage, scope, d)]))[0])
  }),
  writes(editPackage, async ({ id, version, ...input }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的套餐')
    const draft = {
      ...input,
      projectCode: (await requireById(tx, feePackage, scope, id, { lock: true })).projectCode,
    }
    await assertPackageStandards(tx, scope, draft)
    return defined(
      (
        await withStandardNames(tx, scope, [
          await update(tx, feePackage, scope, id, withAllFields(editPackage.input, draft), { version }),
        ])
      )[0],
    )
  }),
  writes(deletePackages, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, feePackage, scope, ids, reason)
  }),
]
