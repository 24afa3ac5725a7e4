import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    api_key: {
      purpose: '接口密钥的使用',
      ground: 'records',
      columns: { last_ip: 'kept', revoke_reason: 'text' },
    },
    api_key_call: { purpose: '接口调用记录', ground: 'records', columns: { ip: 'kept' } },
    webhook_delivery: {
      purpose: '推送给公司自己系统的内容',
      ground: 'contract',
      isCopy: true,
      people: {
        resident: ({ ids }) => sql`(t.type like 'resident.%' and t.subject_id = any(${[...ids]}::bigint[]))`,
      },
      history: [
        `case split_part(t.type, '.', 1)
          when 'payment' then 'payRecord'
          when 'refund' then 'feeRefund'
          else split_part(t.type, '.', 1)
        end`,
        'subject_id',
      ],
      columns: { reason: 'note', answer: 'note', body: 'json', attempt_log: 'note' },
    },
    webhook_endpoint: { purpose: '推送地址', ground: 'records', columns: { stop_reason: 'text' } },
  },
})
