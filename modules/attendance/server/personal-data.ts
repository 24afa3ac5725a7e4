import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

const byStaff = { ground: 'employment', people: { staff: inColumn('staff_id') } } as const

registerPersonalData({
  tables: {
    attendance_log: { purpose: '打卡记录与照片', ...byStaff, columns: { photo: 'files', remark: 'text' } },
    attendance_day: { purpose: '每日考勤', ...byStaff, columns: { manual_reason: 'text' } },
    attendance_apply: { purpose: '请假、补卡等申请', ...byStaff, columns: { reason: 'text' } },
    attendance_exemption: { purpose: '免打卡', ground: 'employment', columns: { reason: 'text' } },
  },
})
