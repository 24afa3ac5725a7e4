import type { Id } from '#kit/domain/id.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findByIds } from '#kit/server/table.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { getFunctionSettings, setFunctionSettings } from '../contract/settings.ts'
import {
  functionFault,
  functionSettings,
  resolveFunctions,
  type FunctionSetting,
  type Functions,
  type StoredFunction,
} from '../domain/function-settings.ts'

/** How the company handles orders. */
export async function loadFunctions(db: Pick<Db, 'rows'>, ownerId: Id): Promise<Functions> {
  return resolveFunctions(
    await db.rows<StoredFunction>(sql`
      select key, enabled, value from work_order_setting where owner_id = ${ownerId}
    `),
  )
}

export const functionSettingHandlers = [
  reads(getFunctionSettings, async (_, { db, scope }) => {
    const functions = await loadFunctions(db, scope.ownerId)
    return keysOfRecord(functionSettings).map(key => {
      const { label, help, isOn, value }: FunctionSetting = functionSettings[key]
      return {
        key,
        label,
        help,
        enabled: functions[key].isOn,
        hasSwitch: isOn !== undefined,
        hasValue: value !== undefined,
        ...(value ? { value: functions[key].value, unit: value.unit, min: value.min, max: value.max } : {}),
      }
    })
  }),
  writes(setFunctionSettings, async ({ settings }, { tx, scope }) => {
    const faults = settings.flatMap((setting, i) => {
      const Message = functionFault(setting)
      return Message === undefined ? [] : [{ Field: `Settings[${i}].Value`, Message }]
    })
    const feeItemId = settings.find(setting => setting.key === 'feeItem')?.value
    if (feeItemId && !(await findByIds(tx, feeItem, scope, [feeItemId])).length) {
      faults.push({ Field: 'Settings', Message: '收费项目不存在或已被删除，请重新选择' })
    }
    if (faults.length) throw invalidInput(faults)
    const before = await loadFunctions(tx, scope.ownerId)
    const latest = [...new Map(settings.map(setting => [setting.key, setting])).values()]
    await tx.execute(sql`
      insert into work_order_setting (owner_id, key, enabled, value)
      select ${scope.ownerId}::bigint, *
      from unnest(
        ${latest.map(s => s.key)}::text[], ${latest.map(s => s.enabled)}::boolean[],
        ${latest.map(s => s.value ?? null)}::integer[]
      )
      on conflict (owner_id, key) do update set enabled = excluded.enabled, value = excluded.value
      returning key
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'workOrderSetting',
        entityId: 0,
        before,
        after: await loadFunctions(tx, scope.ownerId),
      },
    ])
  }),
]
