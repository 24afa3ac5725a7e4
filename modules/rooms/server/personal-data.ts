import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    room: {
      purpose: '房屋档案',
      ground: 'contract',
      columns: {
        main_owner_name: 'name',
        payer_name: 'name',
        owner_cert_no: 'detail',
        remark: 'text',
      },
      beside: {
        main_owner_name: { resident: ({ ids }) => sql`t.main_owner_id = any(${[...ids]}::bigint[])` },
        owner_cert_no: { resident: ({ ids }) => sql`t.main_owner_id = any(${[...ids]}::bigint[])` },
        payer_name: {
          resident: ({ ids, names }) => sql`
            (t.payer_id = any(${[...ids]}::bigint[]) and t.payer_name = any(${[...names]}::text[]))
          `,
        },
      },
    },
    room_change_log: {
      purpose: '房屋变更的历史',
      ground: 'contract',
      columns: { old_value: 'text', new_value: 'text', reason: 'text', operator_name: 'kept' },
    },
  },
})
