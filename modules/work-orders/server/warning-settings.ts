import { crudHandlers } from '#kit/server/crud.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insertAll, requireById } from '#kit/server/table.ts'
import { orderType } from '../contract/order-type.ts'
import { getTimeWarnings, orderNotifies, setTimeWarnings, timeWarning } from '../contract/settings.ts'

export const notifyServer = crudHandlers(orderNotifies, {
  unique: { work_order_notify_person_live: '该人员已有通知设置，请编辑该条' },
  check: draft => (draft.events.length ? [] : [{ Field: 'Events', Message: '请至少选择一项通知事项' }]),
})

const listWarnings = (db: Db, scope: Scope, typeId: number | undefined) =>
  findAll(
    db,
    timeWarning,
    scope,
    {},
    {
      where: typeId === undefined ? [] : [typeId === 0 ? sql`t.type_id is null` : sql`t.type_id = ${typeId}`],
    },
  )

export const warningSettingHandlers = [
  reads(getTimeWarnings, ({ typeId }, { db, scope }) => listWarnings(db, scope, typeId)),
  writes(setTimeWarnings, async ({ typeId = 0, warnings }, { tx, scope }) => {
    if (typeId) {
      await requireById(tx, orderType, scope, typeId)
    }
    const seen = new Set<string>()
    const faults = warnings.flatMap((warning, i) => {
      const key = `${warning.stage}/${warning.offsetMinutes}`
      if (seen.has(key)) return [{ Field: `Warnings[${i}].Stage`, Message: '同一阶段、同一偏移的预警重复' }]
      seen.add(key)
      return warning.receivers.length && warning.channels.length
        ? []
        : [{ Field: `Warnings[${i}].Receivers`, Message: '请选择接收人与渠道' }]
    })
    if (faults.length) throw invalidInput(faults)
    const before = await listWarnings(tx, scope, typeId)
    const isSame = typeId ? sql`type_id = ${typeId}` : sql`type_id is null`
    await tx.execute(sql`
      delete from work_order_warning where owner_id = ${scope.ownerId} and ${isSame}
    `)
    await insertAll(
      tx,
      timeWarning,
      scope,
      warnings.map(warning => ({ ...warning, typeId: typeId || undefined })),
    )
    const after = await listWarnings(tx, scope, typeId)
    await audit(tx, scope, [
      { action: 'update', entity: timeWarning.name, entityId: typeId, before: { before }, after: { after } },
    ])
    return after
  }),
]
