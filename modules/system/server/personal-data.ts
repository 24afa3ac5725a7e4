import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { receiverKind } from '../contract/notification.ts'
import { listNotificationKinds } from './notify.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

/** Kinds of messages that speak of a record; other modules register theirs as well. */
const kindsWithRecord = (): [key: string, entity: string][] =>
  listNotificationKinds().flatMap(({ key, entity }): [string, string][] =>
    entity === undefined ? [] : [[key, entity]],
  )

/** SQL over `t`: of which entity's record a message speaks. */
const entityOfMessage = (): string =>
  `(case t.kind ${kindsWithRecord()
    .map(([key, entity]) => `when '${key}' then '${entity}'`)
    .join(' ')} end)`

registerPersonalData({
  tables: {
    notification: {
      purpose: '系统消息',
      ground: 'contract',
      retention: 'messages',
      isCopy: true,
      get history() {
        return [entityOfMessage(), 'biz_id'] as const
      },
      get historyEntities() {
        return kindsWithRecord().map(([, entity]) => entity)
      },
      columns: { title: 'text', body: 'text', mail_error: 'text' },
    },
    notification_setting: {
      purpose: '消息接收的设置',
      ground: 'employment',
      isDeleted: true,
      people: { manager: inColumn('operator_id') },
      columns: { off: 'detail' },
    },
    user_setup: {
      purpose: '使用习惯',
      ground: 'employment',
      isDeleted: true,
      people: { manager: inColumn('operator_id') },
      columns: { value: 'text' },
    },
    property_suggest: {
      purpose: '处理意见反馈',
      ground: 'consent',
      retention: 'suggestions',
      people: {
        manager: ({ ids }) => sql`
          (t.user_kind = ${code(receiverKind, 'manager')} and t.user_id = any(${[...ids]}::bigint[]))
        `,
        resident: ({ ids }) => sql`
          (t.user_kind = ${code(receiverKind, 'resident')} and t.user_id = any(${[...ids]}::bigint[]))
        `,
      },
      ownBy: ['mobile'],
      columns: {
        user_name: 'name',
        mobile: 'mobile',
        content: 'note',
        photos: 'files',
        reply: 'note',
        reply_name: 'kept',
      },
      exported: ['user_name', 'mobile', 'content', 'reply', 'reply_time'],
    },
    system_notice: { purpose: '公告', ground: 'records', columns: { title: 'text', content: 'text' } },
  },
  retention: [
    {
      key: 'messages',
      label: '系统消息',
      content: '发给账号的消息，自发出之日起',
      basis: '保存期限为实现目的所必要的最短时间（个人信息保护法第十九条）',
      unit: 'month',
      initial: 12,
      min: 1,
      max: 120,
      steps: [{ table: 'notification', due: ({ before }) => sql`t.create_time < ${before}` }],
    },
    {
      key: 'suggestions',
      label: '意见反馈的联系方式',
      content: '反馈人的手机号，自提交之日起；反馈内容留存',
      basis: '个人信息保护法第四十七条：处理目的已实现应当主动删除',
      unit: 'month',
      initial: 24,
      min: 1,
      max: 120,
      steps: [
        {
          table: 'property_suggest',
          clears: ['mobile'],
          due: ({ before }) => sql`t.create_time < ${before} and t.mobile is not null`,
        },
      ],
    },
  ],
})
