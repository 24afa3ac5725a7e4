import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { code } from '#kit/server/sql.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'

registerPersonalData({
  tables: {
    public_notice: {
      purpose: '公告',
      ground: 'contract',
      columns: {
        title: 'text',
        content: 'text',
        sms_text: 'text',
        publisher_name: 'kept',
        publish_fault: 'kept',
        withdraw_reason: 'text',
      },
    },
    public_notice_version: {
      purpose: '公告修改前的内容',
      ground: 'contract',
      columns: { title: 'text', content: 'text', editor_name: 'kept' },
    },
    notice_receiver: {
      purpose: '公告与通知的接收与阅读',
      ground: 'contract',
      retention: 'noticeReceipts',
      people: {
        resident: ({ ids }) =>
          sql`t.receiver_kind = ${code(receiverKind, 'resident')} and t.receiver_id = any(${[...ids]}::bigint[])`,
      },
      columns: {},
      exported: ['receipt', 'read_time', 'confirm_time', 'remind_time'],
    },
    user_notice: {
      purpose: '发给指定住户的通知',
      ground: 'contract',
      columns: {
        title: 'text',
        content: 'text',
        publisher_name: 'kept',
        withdraw_reason: 'text',
        target_ids: 'kept',
      },
    },
    staff_notice: {
      purpose: '发给指定员工的通知',
      ground: 'employment',
      columns: {
        title: 'text',
        content: 'text',
        publisher_name: 'kept',
        withdraw_reason: 'text',
        target_ids: 'kept',
      },
    },
  },
  retention: [
    {
      key: 'noticeReceipts',
      label: '公告阅读记录',
      content: '住户收到、阅读、确认公告的时间，自最后变动之日起',
      basis: '证明已告知的期限届满后不再需要（个人信息保护法第十九条）',
      unit: 'day',
      initial: 1095,
      min: 180,
      max: 3650,
      steps: [{ table: 'notice_receiver', due: ({ before }) => sql`t.update_time < ${before}` }],
    },
  ],
  notPersonal: [
    'advertisement.media',
    'matter.steps',
    'matter.materials',
    'matter.service_phone',
    'notice_template.content',
    'notice_template.sms_text',
    'public_notice.cover',
    'public_notice.content_files',
    'public_notice.attachments',
    'public_notice_version.content_files',
    'public_notice_version.attachments',
    'notice_template.content_files',
    'matter.content_files',
  ],
})
