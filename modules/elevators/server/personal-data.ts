import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

const ofElevator = { heading: '电梯', table: 'elevator', column: 'name', by: 'elevator_id' }

const byUserOrStaff = { resident: inColumn('user_id'), staff: inColumn('staff_id') }

registerPersonalData({
  tables: {
    elevator: {
      purpose: '电梯的维保与救援电话',
      ground: 'contract',
      columns: { maintain_phone: 'mobile', rescue_phone: 'mobile', remark: 'text' },
    },
    elevator_maintenance: {
      purpose: '维保、维修与年检的记录',
      ground: 'law',
      retention: 'elevatorMaintenance',
      columns: { worker: 'keptName', content: 'text', photos: 'kept' },
    },
    elevator_right: {
      purpose: '可到达的楼层',
      ground: 'contract',
      isDeleted: true,
      people: byUserOrStaff,
      columns: { remark: 'note' },
      exported: [ofElevator, 'floors', 'begin_date', 'end_date', 'state', 'remark'],
    },
    elevator_call: {
      purpose: '呼梯记录',
      ground: 'contract',
      retention: 'elevatorCalls',
      people: byUserOrStaff,
      columns: { visitor_name: 'name', run_item_key: 'detail', card_no: 'detail', reason: 'text' },
      exported: [
        'call_time',
        ofElevator,
        'visitor_name',
        'card_no',
        'from_floor',
        'to_floor',
        'method',
        'result',
      ],
    },
    elevator_alarm: {
      purpose: '困人报警的处理',
      ground: 'employment',
      columns: { acknowledged_by: 'kept', resolved_by: 'kept', resolve_note: 'text' },
    },
    elevator_command: {
      purpose: '远程梯控的操作记录',
      ground: 'employment',
      columns: { operator_name: 'kept', reason: 'text', failure: 'text' },
    },
  },
  retention: [
    {
      key: 'elevatorCalls',
      label: '呼梯记录',
      content: '人员、卡号与楼层，连同记录，自呼梯之日起',
      basis: '保存期限为实现目的所必要的最短时间（个人信息保护法第十九条）',
      unit: 'day',
      initial: 180,
      min: 30,
      max: 1000,
      steps: [{ table: 'elevator_call', due: ({ before }) => sql`t.create_time < ${before}` }],
    },
    {
      key: 'elevatorMaintenance',
      label: '电梯维保记录',
      content: '维保人员的姓名，自记录当年年末起',
      basis: '电梯维护保养规则（TSG T5002）：维保记录至少保存四年',
      unit: 'year',
      initial: 4,
      min: 4,
      max: 100,
      steps: [],
    },
  ],
})
