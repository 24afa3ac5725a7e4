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
    },
    room_change_log: {
      purpose: '房屋变更的历史',
      ground: 'contract',
      columns: { old_value: 'text', new_value: 'text', reason: 'text', operator_name: 'kept' },
    },
  },
})
