import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { getUserSettings, saveUserSetting, userSettingLimits } from '../contract/user-setting.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const userSettingHandlers = [
  reads(getUserSettings, async ({ key, prefix }, { db, scope }) =>
    db.rows<{
      key: string
      value: string
    }>(sql`
      select key, value::text as value
      from user_setup
      where owner_id = ${scope.ownerId}
        and operator_id = ${scope.operatorId}
        ${key ? sql`and key = ${key}` : sql``}
        ${prefix ? sql`and starts_with(key, ${prefix})` : sql``}
      order by key
    `),
  ),
  writes(saveUserSetting, async ({ key, value }, { tx, scope }) => {
    if (value === undefined) {
      await tx.execute(
        sql`
          delete from user_setup
          where owner_id = ${scope.ownerId} and operator_id = ${scope.operatorId} and key = ${key}
        `,
      )
      return
    }
    if (!isJson(value)) throw invalidInput([{ Field: 'SetupJson', Message: '内容应为 JSON' }])
    const others = await tx.one<{ count: number }>(
      sql`
        select count(*) as count
        from user_setup
        where owner_id = ${scope.ownerId} and operator_id = ${scope.operatorId} and key <> ${key}
      `,
    )
    if (others && others.count >= userSettingLimits.keys)
      refuse(`个人设置最多 ${userSettingLimits.keys} 项，请先删除不用的视图`)
    await tx.execute(sql`
      insert into user_setup (owner_id, operator_id, key, value, update_time)
      values (${scope.ownerId}, ${scope.operatorId}, ${key}, ${value}::json, ${scope.time}::timestamptz)
      on conflict (owner_id, operator_id, key) do update
      set value = excluded.value, update_time = excluded.update_time
    `)
  }),
]
