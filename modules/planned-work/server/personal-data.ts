import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

const byStaff = { ground: 'employment', people: { staff: inColumn('staff_id') } } as const

registerPersonalData({
  tables: {
    work_plan: { purpose: '计划备注', ground: 'records', columns: { remark: 'text' } },
    work_task: {
      purpose: '任务的安排',
      ...byStaff,
      columns: {
        nobody_reason: 'text',
        disable_reason: 'text',
        target_name: 'named',
        assigner_name: 'kept',
      },
      exported: ['task_date', 'plan_name', 'target_name', 'begin_time', 'end_time', 'finish_time', 'state'],
    },
    work_step: {
      purpose: '任务的结果',
      ...byStaff,
      columns: { remark: 'text', abnormal: 'text', value: 'text', items: 'text', photos: 'kept' },
      exported: ['task_date', 'step_name', 'due_time', 'sign_time', 'result', 'value', 'remark', 'abnormal'],
    },
    work_sign: {
      purpose: '签到的位置、照片与异常说明',
      ...byStaff,
      retention: 'workPlaces',
      columns: { longitude: 'detail', latitude: 'detail', abnormal: 'text', photos: 'kept' },
      exported: ['device_time', 'server_time', 'sign_type', 'longitude', 'latitude', 'abnormal'],
    },
  },
  retention: [
    {
      key: 'workPlaces',
      label: '签到的位置',
      content: '员工签到时的经纬度（行踪轨迹，敏感个人信息），自签到之日起；签到本身留存',
      basis: '保存期限为实现目的所必要的最短时间（个人信息保护法第十九条）',
      unit: 'month',
      initial: 12,
      min: 1,
      max: 60,
      steps: [
        {
          table: 'work_sign',
          clears: ['longitude', 'latitude'],
          due: ({ before }) => sql`
            t.server_time < ${before} and (t.longitude is not null or t.latitude is not null)
          `,
        },
      ],
    },
  ],
})
