import { sql } from '#kit/server/db.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { code } from '#kit/server/sql.ts'
import { quotaState, receiverKind } from '../contract/choices.ts'

const toResident: PeopleSql = ({ ids }) =>
  sql`(t.receiver_kind = ${code(receiverKind, 'resident')} and t.receiver_id = any(${[...ids]}::bigint[]))`

const toStaff: PeopleSql = ({ ids }) =>
  sql`(t.receiver_kind = ${code(receiverKind, 'staff')} and t.receiver_id = any(${[...ids]}::bigint[]))`

registerPersonalData({
  tables: {
    outgoing_message: {
      purpose: '发给住户与员工的短信、微信与邮件，及其送达情况',
      ground: 'contract',
      retention: 'outgoingMessages',
      people: { resident: toResident, staff: toStaff },
      columns: {
        receiver_name: 'name',
        room_name: 'detail',
        address: { becomes: `'***'` },
        content: { becomes: `'***'` },
        run_params: 'json',
        run_variables: 'json',
        fail_reason: 'text',
      },
      exported: ['channel', 'receiver_name', 'room_name', 'content', 'sent_time', 'state'],
    },
    sms_block: {
      purpose: '不再接收短信的号码',
      ground: 'law',
      columns: { mobile: 'kept', reason: 'text', operator_name: 'kept' },
    },
    sms_number: { transient: '号码文件，上传后一天内删除' },
    sms_ledger: { purpose: '短信额度变动的操作人', ground: 'records', columns: { operator_name: 'kept' } },
    property_sms: {
      purpose: '群发短信的内容、范围与发送人',
      ground: 'records',
      columns: { content: 'text', scope_json: 'json', operator_name: 'kept' },
    },
    sms_template: {
      purpose: '短信的固定内容与未通过原因',
      ground: 'records',
      columns: { content: 'text', reason: 'text' },
    },
    message_batch: {
      purpose: '一次发送的共同内容',
      ground: 'records',
      columns: { title: 'text', params: 'json' },
    },
  },
  retention: [
    {
      key: 'outgoingMessages',
      label: '消息发送记录',
      content: '短信、微信与邮件的接收人、号码与内容，自发送之日起',
      basis: '证明通知已送达；争议期满后不再需要',
      unit: 'day',
      initial: 730,
      min: 90,
      max: 1100,
      steps: [
        {
          table: 'outgoing_message',
          due: ({ before }) => sql`t.create_time < ${before} and t.quota <> ${code(quotaState, 'reserved')}`,
        },
      ],
    },
  ],
})
