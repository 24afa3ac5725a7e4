import type { Id } from '#kit/domain/id.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, insert, update, withAllFields } from '#kit/server/table.ts'
import { manager } from '#modules/accounts/contract/manager.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import {
  getPurchaseSetting,
  purchaseSetting,
  savePurchaseSetting,
  type PurchaseSetting,
} from '../contract/setting.ts'

/** The default, where the company has no setting. */
const initial: Omit<PurchaseSetting, 'id'> = {
  exemptAmount: 0,
  allowsAhead: false,
  orderTolerance: '10',
  tolerance: '0',
  separatesReceiver: false,
  numberPrefix: 'CG',
}

export async function loadSetting(db: Db, scope: Scope): Promise<PurchaseSetting> {
  const [stored] = await findAll(db, purchaseSetting, scope, {}, { limit: 1 })
  return stored ?? { id: 0, ...initial }
}

/** Held until the transaction ends: what the limits count does not change in the meantime. */
export const lockSetting = (tx: Tx, scope: Scope): Promise<unknown> =>
  tx.rows(sql`
    select id
    from purchase_setting
    where owner_id = ${scope.ownerId} and ${notDeleted()}
    for update
  `)

type Draft = NonNullable<typeof savePurchaseSetting.input.T>

async function settingFaults(tx: Tx, scope: Scope, draft: Draft) {
  const { limits = [], buyerIds = [], receiverIds = [] } = draft
  const codes = limits.map(limit => limit.projectCode)
  const estates = codes.length
    ? await findAll(tx, estate, scope, {}, { where: [sql`t.project_code = any(${codes}::text[])`] })
    : []
  const known = new Set(estates.map(each => each.projectCode))
  const people = new Set(
    (await findByIds(tx, manager, scope, [...buyerIds, ...receiverIds])).map(({ id }) => String(id)),
  )
  const isUnknown = (id: string): boolean => !people.has(id)
  return [
    ...limits.flatMap(({ projectCode, requestLimit, monthLimit }, i) => [
      ...(known.has(projectCode)
        ? []
        : [{ Field: `Limits[${i}].ProjectCode`, Message: '项目不存在，请重新选择' }]),
      ...(codes.indexOf(projectCode) < i
        ? [{ Field: `Limits[${i}].ProjectCode`, Message: '该项目已有限额' }]
        : []),
      ...(requestLimit === undefined && monthLimit === undefined
        ? [{ Field: `Limits[${i}].RequestLimit`, Message: '请填写单笔上限或每月上限' }]
        : []),
    ]),
    ...(buyerIds.some(isUnknown) ? [{ Field: 'BuyerIds', Message: '所选人员不存在，请重新选择' }] : []),
    ...(receiverIds.some(isUnknown) ? [{ Field: 'ReceiverIds', Message: '所选人员不存在，请重新选择' }] : []),
  ]
}

/** Whether the setting lets the operator do it, beside the permission. */
export function assertNamed(people: readonly string[] | undefined, operatorId: Id, action: string): void {
  if (people?.length && !people.includes(String(operatorId))) {
    refuse(`采购设置限定了可${action}人员，你不在其中`)
  }
}

export const settingHandlers = [
  reads(getPurchaseSetting, (_, { db, scope }) => loadSetting(db, scope)),
  writes(savePurchaseSetting, async ({ id: _, version, ...draft }, { tx, scope }) => {
    const faults = await settingFaults(tx, scope, draft)
    if (faults.length) throw invalidInput(faults)
    await lockSetting(tx, scope)
    const [stored] = await findAll(tx, purchaseSetting, scope, {}, { limit: 1 })
    const values = withAllFields(savePurchaseSetting.input, draft)
    return stored
      ? update(tx, purchaseSetting, scope, stored.id, values, { version })
      : insert(tx, purchaseSetting, scope, values)
  }),
]
