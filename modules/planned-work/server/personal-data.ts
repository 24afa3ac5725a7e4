import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    work_plan: { purpose: '计划备注', ground: 'records', columns: { remark: 'text' } },
    work_task: {
      purpose: '任务的安排',
      ground: 'employment',
      columns: { nobody_reason: 'text', disable_reason: 'text', target_name: 'named' },
    },
    work_step: {
      purpose: '任务的结果',
      ground: 'employment',
      columns: { remark: 'text', abnormal: 'text', value: 'text', items: 'text', photos: 'kept' },
    },
    work_sign: {
      purpose: '签到的照片与异常说明',
      ground: 'employment',
      columns: { abnormal: 'text', photos: 'kept' },
    },
  },
})
