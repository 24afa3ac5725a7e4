import { parseId, type Id } from '#kit/domain/id.ts'
import { refuseField } from '#kit/contract/wire.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import type { previewBind } from '../contract/binding-calls.ts'
import { feePackage } from '../contract/relation.ts'
import { loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'
import { disabledMessage, sceneMessage } from './relation-validation.ts'

export type BindInput = NonNullable<typeof previewBind.input.T>

const maxFaults = 5

/** The ids of the named standards and of the package's; `field`: where their faults are shown. */
async function findStandardIds(
  db: Db,
  scope: Scope,
  query: BindInput,
): Promise<{ readonly ids: readonly Id[]; readonly field: string }> {
  const [chosen] =
    query.packageId === undefined ? [] : await findByIds(db, feePackage, scope, [query.packageId])
  if (query.packageId !== undefined && chosen?.projectCode !== query.projectCode)
    return refuseField('PackageID', '该项目没有该套餐，请重新选择')
  const ids = [...(query.standardIds ?? []), ...(chosen?.standardIds ?? [])]
  return {
    ids: [...new Set(ids.map(parseId))],
    field: chosen && !query.standardIds?.length ? 'PackageID' : 'StandardIDs',
  }
}

/** Why a standard cannot be bound; `sameItem`: a standard of its item that was chosen before it. */
function listStandardFaults(
  chargeable: ChargeableStandard,
  query: BindInput,
  sameItem: ChargeableStandard | undefined,
): string[] {
  const { standard, item } = chargeable
  const faults: (string | undefined)[] = [
    standard.projectCode === query.projectCode ? undefined : `收费标准「${standard.name}」不属于所选项目`,
    disabledMessage(chargeable),
    sceneMessage(chargeable, query.sourceType),
    sameItem && !item.allowMulti
      ? `「${sameItem.standard.name}」与「${standard.name}」同是收费项目「${item.name}」的标准，请只选一个`
      : undefined,
    standard.endDate && query.beginDate && standard.endDate < query.beginDate
      ? `收费标准「${standard.name}」已于 ${standard.endDate} 停用`
      : undefined,
  ]
  return faults.filter(f => f !== undefined)
}

/**
 * The standards that are bound, by name or by package (FEE-10). Refuses those that are not in use, of another
 * project, two of one item, or not for the type of object.
 */
export async function findBindStandards(
  db: Db,
  scope: Scope,
  query: BindInput,
): Promise<ChargeableStandard[]> {
  const { ids, field } = await findStandardIds(db, scope, query)
  if (!ids.length) return refuseField(field, '请选择收费标准或套餐')
  const loaded = await loadChargeableStandards(db, scope.ownerId, { ids: ids.filter(id => id > 0) })
  const chosen = [...loaded.values()]
  const faults: string[] = chosen.length < ids.length ? ['所选的收费标准有的已不存在，请重新选择'] : []
  const byItem = new Map<Id, ChargeableStandard>()
  for (const chargeable of chosen) {
    const { standard, item } = chargeable
    if (standard.startRule === 'fixedDate' && !query.beginDate)
      return refuseField('BeginDate', `标准「${standard.name}」从指定日期起收，请填写起收日期`)
    faults.push(...listStandardFaults(chargeable, query, byItem.get(item.id)))
    byItem.set(item.id, chargeable)
  }
  if (query.beginDate && query.endDate && query.endDate < query.beginDate)
    return refuseField('EndDate', '止收日期不能早于起收日期')
  return faults.length ? refuseField(field, [...new Set(faults)].slice(0, maxFaults).join('；')) : chosen
}
