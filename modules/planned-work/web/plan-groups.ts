import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { WorkPlan } from '../contract/plan.ts'

export const planGroups: readonly DetailGroup<WorkPlan>[] = [
  { title: '计划', keys: ['planName', { key: 'subjectName', label: '任务标准' }, 'targetNames'] },
  { title: '时间', keys: ['schedule', 'beginDate', 'endDate', 'lateEndMinutes'] },
  { title: '人员', keys: ['staffMode', 'staffNames', 'remindMinutes'] },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
]
