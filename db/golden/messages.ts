import type { Id } from '#kit/domain/id.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { managerType } from '#modules/accounts/contract/credential-fields.ts'
import { receiverKind } from '#modules/system/contract/notification.ts'

/**
 * Suggestions with and without an answer, messages of the days before, an announcement that is over: nothing
 * that would ring at a first start.
 */
export async function seedMessages(database: Database, ownerId: Id, project: string): Promise<void> {
  await database.tx(ownerId, async tx => {
    await seedSuggestions(tx, ownerId, project)
    await seedNotices(tx, ownerId)
    await notifyOfSuggestions(tx, ownerId)
  })
}

async function seedSuggestions(tx: Tx, ownerId: Id, project: string): Promise<void> {
  await tx.execute(sql`
    insert into property_suggest (
      owner_id, project_code, user_kind, user_id, user_name, mobile, content, is_read, reply, reply_name,
      reply_time, create_time, create_by
    )
    select ${ownerId}, s.project, s.kind, coalesce(r.id, m.id), coalesce(r.name, m.real_name), r.mobile,
      s.content, s.is_read, s.reply, case when s.reply is not null then '演示管理员' end,
      case when s.reply is not null then now() - s.ago + interval '5 hours' end, now() - s.ago,
      coalesce(m.id, 0)
    from (
      values (
        1, ${project}, 10, null, '3 栋 2 单元的门禁晚上反应很慢，刷卡要等好几秒，麻烦看一下。', true, '已安排工程师检查，更换了控制器电源，目前恢复正常。',
        interval '6 days'
      ),
      (2, ${project}, 10, null, '南门快递柜前面灯坏了两盏，晚上取件看不清。', false, null, interval '20 hours'),
      (3, ${project}, 30, 'service1', '住户管理的列表希望能按入住日期排序，交接时好核对。', true, null, interval '3 days'),
      (4, null, 30, 'manager1', '导出的房间表最好把公摊面积放在建筑面积后面，对账时不用来回拖。', false, null, interval '2 hours')
    ) as s(n, project, kind, login, content, is_read, reply, ago)
    left join lateral (
      select id, name, mobile
      from resident
      where owner_id = ${ownerId}
        and delete_tag = 0
        and mobile is not null
        and s.kind = ${code(receiverKind, 'resident')}
      order by id
      offset s.n * 7
      limit 1
    ) r on true
    left join manager m on m.owner_id = ${ownerId} and m.login_code = s.login and m.delete_tag = 0
    order by s.ago desc
  `)
}

/** A notice of the platform, and the notification of it to everyone. */
async function seedNotices(tx: Tx, ownerId: Id): Promise<void> {
  await tx.execute(sql`
    insert into system_notice (
      owner_id, title, content, level, start_time, end_time, run_waits, create_time
    )
    values (
      ${ownerId}, '周六夜间系统维护', '本周六 22:00 至 24:00 进行数据库维护，期间不能登录，请提前保存正在填写的单据。', 20,
      now() - interval '8 days', now() - interval '6 days', false, now() - interval '8 days'
    )
  `)
  await tx.execute(sql`
    insert into notification (
      owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body, biz_id, read_time,
      create_time
    )
    select n.owner_id, m.id, 30, 30, 'system.announce', n.level, n.title, n.content, n.id,
      case when m.login_code <> 'engineer1' then n.create_time + interval '3 hours' end, n.create_time
    from system_notice n
    join manager m on m.owner_id = n.owner_id and m.delete_tag = 0
    where n.owner_id = ${ownerId}
  `)
}

async function notifyOfSuggestions(tx: Tx, ownerId: Id): Promise<void> {
  await tx.execute(sql`
    insert into notification (
      owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body, link, biz_id,
      read_time, create_time
    )
    select s.owner_id, o.id, 30, 20, 'system.suggest', 10, s.user_name || '提交了意见反馈', s.content,
      '/quality/serviceManage/feedbacklist', s.id,
      case when s.is_read then s.create_time + interval '1 hour' end, s.create_time
    from property_suggest s
    join manager o on o.owner_id = s.owner_id and o.manager_type = ${code(managerType, 'owner')}
    where s.owner_id = ${ownerId}
    order by s.id
  `)
}
