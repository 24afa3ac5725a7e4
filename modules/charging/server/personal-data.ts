import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    charger_hub: { purpose: '充电桩的备注', ground: 'records', columns: { remark: 'text' } },
    charger_order: {
      purpose: '充电、付款与退款的联系',
      ground: 'contract',
      columns: { mobile: 'mobile', fail_reason: 'text' },
    },
    charger_sample: {
      purpose: '充电过程的电量读数',
      ground: 'contract',
      retention: 'chargerSamples',
      columns: {},
    },
    charger_exception: {
      purpose: '充电异常的处理',
      ground: 'employment',
      columns: { content: 'text', handle_note: 'text', handler_name: 'kept' },
    },
    charger_command: {
      purpose: '远程控制充电桩的操作记录',
      ground: 'employment',
      columns: { operator_name: 'kept', answer: 'text' },
    },
  },
  retention: [
    {
      key: 'chargerSamples',
      label: '充电读数',
      content: '充电过程中的电量读数，自上报之日起',
      basis: '保存期限为实现目的所必要的最短时间（个人信息保护法第十九条）',
      unit: 'day',
      initial: 365,
      min: 90,
      max: 1000,
      steps: [{ table: 'charger_sample', due: ({ before }) => sql`t.create_time < ${before}` }],
    },
  ],
})
