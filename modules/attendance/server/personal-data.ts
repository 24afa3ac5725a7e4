import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

const byStaff = { ground: 'employment', people: { staff: inColumn('staff_id') } } as const

registerPersonalData({
  tables: {
    attendance_log: {
      purpose: '打卡记录与照片',
      ...byStaff,
      columns: { photo: 'files', remark: 'note' },
      exported: ['punch_time', 'source', 'place', 'remark'],
    },
    attendance_day: {
      purpose: '每日考勤',
      ...byStaff,
      columns: { manual_reason: 'note' },
      exported: [
        'work_date',
        'in_time',
        'out_time',
        'state',
        'late_minutes',
        'early_minutes',
        'work_minutes',
        'manual_reason',
      ],
    },
    attendance_apply: {
      purpose: '请假、补卡等申请',
      ...byStaff,
      columns: { reason: 'note', attachments: 'files' },
      exported: ['apply_type', 'leave_type', 'begin_time', 'end_time', 'hours', 'reason', 'state'],
    },
    attendance_exemption: {
      purpose: '免打卡',
      ...byStaff,
      columns: { reason: 'note' },
      exported: ['begin_date', 'end_date', 'reason'],
    },
    attendance_member: {
      purpose: '所在的考勤组',
      ...byStaff,
      isDeleted: true,
      columns: {},
      exported: ['begin_date', 'end_date'],
    },
    attendance_schedule: {
      purpose: '排班',
      ...byStaff,
      isDeleted: true,
      columns: {},
      exported: ['work_date'],
    },
  },
})
