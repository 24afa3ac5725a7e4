import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    park_shift: {
      purpose: '岗亭交接班：何人当班、交接的现金',
      ground: 'law',
      columns: {
        off_staff_name: 'name',
        on_staff_name: 'name',
        remark: 'text',
        confirm_remark: 'text',
      },
    },
    park_shift_event: {
      purpose: '岗亭的放行、开闸与改车牌：何人为何车为何',
      ground: 'contract',
      retention: 'boothEvents',
      columns: {
        plate_no: 'detail',
        old_plate: 'detail',
        reason: 'text',
        operator_name: 'name',
      },
    },
  },
  retention: [
    {
      key: 'boothEvents',
      label: '岗亭操作',
      content: '放行、远程开闸与改车牌的车牌与原因，自操作之日起',
      basis: '与停车出入记录一致；交接班的合计不变',
      unit: 'day',
      initial: 365,
      min: 90,
      max: 1000,
      steps: [{ table: 'park_shift_event', due: ({ before }) => sql`t.event_time < ${before}` }],
    },
  ],
})
