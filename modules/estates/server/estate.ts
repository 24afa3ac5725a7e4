import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, invalidField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { omitUnlessPermitted } from '#kit/server/privacy.ts'
import { findByKey } from '#kit/server/table.ts'
import { estate, estates, getEstate, listEstateSettings, updateEstateSetting } from '../contract/estate.ts'
import { menu } from '../module.ts'
import { findSetting, getSettingValues, listDeclaredSettings } from './estate-settings.ts'

const contactKeys = ['manager', 'managerPhone', 'alarmPhone', 'alarmEmail'] as const

export const estateServer = crudHandlers(estates, {
  unique: {
    estate_code_live: '该项目编码已存在，请更换编码',
    estate_name_live: '已有同名项目，请更换名称',
  },
  // Every picker and the project switch ask the list.
  enrich: async (rows, { scope }) =>
    omitUnlessPermitted(scope, menu.estate.permissions.view, rows, contactKeys),
  refusesChangeOf: ['projectCode'],
})

export const estateHandlers = [
  reads(getEstate, async ({ code }, { db, scope }) => {
    const row = await findByKey(db, estate, scope, code, code)
    if (!row) throw notFound()
    return row
  }),

  reads(listEstateSettings, async ({ projectCode }, { db, scope }) => {
    const settings = listDeclaredSettings()
    const values = await getSettingValues(db, scope.ownerId, projectCode, settings)
    return settings.map(({ key, label, help }, i) => ({ key, label, help, value: defined(values[i]) }))
  }),
  writes(updateEstateSetting, async ({ projectCode, key, value }, { tx, scope }) => {
    const setting = findSetting(key) ?? refuse('没有该参数')
    const fault = setting.check(value ?? '')
    if (fault) throw invalidField('SettingValue', fault)
    const before = await tx.one<{ value: string }>(sql`
      select value
      from estate_setting
      where owner_id = ${scope.ownerId} and project_code = ${projectCode} and key = ${key}
      for update
    `)
    await tx.execute(sql`
      insert into estate_setting (owner_id, project_code, key, value, update_time, update_by)
      values (${scope.ownerId}, ${projectCode}, ${key}, ${value ?? ''}, ${scope.time}, ${scope.operatorId})
      on conflict (owner_id, project_code, key) do update set value = excluded.value,
        update_time = excluded.update_time, update_by = excluded.update_by
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'estateSetting',
        entityId: 0,
        projectCode,
        before: { [key]: before?.value ?? setting.defaultValue },
        after: { [key]: value },
      },
    ])
  }),
]
