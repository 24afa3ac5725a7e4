import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { findByIds, findByKey, insert, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import {
  addEstate,
  deleteEstates,
  editEstate,
  estate,
  listEstateSettings,
  listEstates,
  getEstate,
  updateEstateSetting,
} from '../contract/estate.ts'
import { findSetting, listDeclaredSettings } from './estate-settings.ts'

uniqueMessages({
  estate_code_live: '该项目编码已存在，请换一个编码',
  estate_name_live: '已有同名项目，请换一个名称',
})

const estateFilters = listEstates.input.filters!

export const estateHandlers = [
  reads(listEstates, (q, { db, scope }) =>
    findPage(db, estate, scope, q, { filters: estateFilters, sums: listEstates.output.sums! }),
  ),
  reads(getEstate, async ({ code }, { db, scope }) => {
    const row = await findByKey(db, estate, scope, code, code)
    if (!row) throw notFound()
    return row
  }),

  writes(addEstate, (draft, { tx, scope }) => insert(tx, estate, scope, draft)),
  writes(editEstate, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的项目')
    const [before] = await findByIds(tx, estate, scope, [id])
    if (!before) throw notFound()
    if (draft.projectCode !== before.projectCode)
      throw invalidInput([{ Field: 'Projectcode', Message: '项目编码保存后不能修改' }])
    return update(tx, estate, scope, id, withAllFields(editEstate.input, draft), { version })
  }),
  writes(deleteEstates, async ({ ids, reason }, { tx, scope }) => {
    const rows = await findByIds(tx, estate, scope, ids, true)
    for (const e of rows) {
      await assertDeletable(tx, scope, 'estate', `项目「${e.name}」`, [e])
    }
    await remove(tx, estate, scope, ids, reason)
  }),

  reads(listEstateSettings, async ({ projectCode }, { db, scope }) => {
    const said = new Map(
      (
        await db.rows<{ key: string; value: string }>(
          sql`
            select key, value
            from estate_setting
            where owner_id = ${scope.ownerId} and project_code = ${projectCode}
          `,
        )
      ).map(r => [r.key, r.value]),
    )
    return listDeclaredSettings().map(s => ({
      key: s.key,
      label: s.label,
      help: s.help,
      value: said.get(s.key) ?? s.defaultValue,
    }))
  }),
  writes(updateEstateSetting, async ({ projectCode, key, value }, { tx, scope }) => {
    const s = findSetting(key) ?? refuse('没有这个参数')
    const fault = s.check(value ?? '')
    if (fault) throw invalidInput([{ Field: 'SettingValue', Message: fault }])
    const before = await tx.one<{ value: string }>(
      sql`
        select value
        from estate_setting
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and key = ${key}
        for update
      `,
    )
    await tx.execute(sql`
      insert into estate_setting (owner_id, project_code, key, value, update_by)
      values (${scope.ownerId}, ${projectCode}, ${key}, ${value ?? ''}, ${scope.operatorId})
      on conflict (owner_id, project_code, key) do update set value = excluded.value, update_time = now(),
        update_by = excluded.update_by
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'estateSetting',
        entityId: 0,
        projectCode,
        before: { [key]: before?.value ?? s.defaultValue },
        after: { [key]: value },
      },
    ])
  }),
]
