import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import { byIds, byKey, insert, page, remove, update, whole } from '#kit/server/table.ts'
import {
  addEstate,
  deleteEstates,
  editEstate,
  estate,
  getSettings,
  listEstates,
  oneEstate,
  putSetting,
} from '../contract/estate.ts'
import { settingNamed, settings } from './settings.ts'

uniqueSays({
  estate_code_live: '该项目编码已存在，请换一个编码',
  estate_name_live: '已有同名项目，请换一个名称',
})

const filters = listEstates.input.filters!

export const estateHandlers = [
  reads(listEstates, (q, { db, scope }) =>
    page(db, estate, scope, q, { filters, sums: listEstates.output.sums! }),
  ),
  reads(oneEstate, async ({ code }, { db, scope }) => {
    const row = await byKey(db, estate, scope, code, code)
    if (!row) throw absent()
    return row
  }),

  writes(addEstate, (draft, { tx, scope }) => insert(tx, estate, scope, draft)),
  writes(editEstate, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的项目')
    const [before] = await byIds(tx, estate, scope, [id])
    if (!before) throw absent()
    if (draft.projectCode !== before.projectCode)
      throw wrong([{ Field: 'Projectcode', Message: '项目编码保存后不能修改' }])
    return update(tx, estate, scope, id, whole(editEstate.input, draft), { version })
  }),
  writes(deleteEstates, async ({ ids, reason }, { tx, scope }) => {
    const rows = await byIds(tx, estate, scope, ids, true)
    for (const e of rows) {
      await mayGo(tx, scope, 'estate', `项目「${e.name}」`, [e])
    }
    await remove(tx, estate, scope, ids, reason)
  }),

  reads(getSettings, async ({ projectCode }, { db, scope }) => {
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
    return settings().map(s => ({
      key: s.key,
      label: s.label,
      help: s.help,
      value: said.get(s.key) ?? s.initial,
    }))
  }),
  writes(putSetting, async ({ projectCode, key, value }, { tx, scope }) => {
    const s = settingNamed(key) ?? refuse('没有这个参数')
    const fault = s.check(value ?? '')
    if (fault) throw wrong([{ Field: 'SettingValue', Message: fault }])
    const before = await tx.one<{ value: string }>(
      sql`
        select value
        from estate_setting
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and key = ${key}
        for update
      `,
    )
    await tx.run(sql`
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
        before: { [key]: before?.value ?? s.initial },
        after: { [key]: value },
      },
    ])
  }),
]
