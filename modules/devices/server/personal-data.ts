import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    device: { purpose: '设备备注', ground: 'records', columns: { remark: 'text' } },
    device_event: {
      purpose: '设备上报的通行与告警',
      ground: 'records',
      columns: { content: 'text', reason: 'text' },
    },
    device_fault: { purpose: '设备故障', ground: 'records', columns: { title: 'text', note: 'text' } },
    device_item: {
      purpose: '下发到设备的内容',
      ground: 'contract',
      columns: { run_data: 'text', reason: 'text' },
    },
    gateway: {
      purpose: '网关备注',
      ground: 'records',
      columns: { remark: 'text', revoke_reason: 'text', pair_ip: 'kept' },
    },
    remote_task: {
      purpose: '远程指令',
      ground: 'records',
      columns: { operator_name: 'kept', cmd_data: 'text', run_input: 'text', reason: 'text' },
    },
    remote_task_output: {
      purpose: '远程指令的输出',
      ground: 'records',
      retention: 'remoteOutput',
      columns: { output: 'text', data: 'text', file_key: 'files' },
    },
    watchdog: { purpose: '守护的备注', ground: 'records', columns: { remark: 'text', last_message: 'text' } },
  },
  notPersonal: ['device.address', 'gateway.key_id', 'gateway.address', 'device_model.remark'],
  retention: [
    {
      key: 'remoteOutput',
      label: '远程指令的输出',
      content: '命令的输出与取回的文件，自指令下发之日起；指令本身留存',
      basis: '网络安全法第二十一条：不少于六个月',
      unit: 'month',
      initial: 12,
      min: 6,
      max: 60,
      steps: [
        {
          table: 'remote_task_output',
          due: ({ ownerId, before }) => sql`
            exists (
              select 1
              from remote_task k
              where k.owner_id = ${ownerId}
                and k.owner_id = t.owner_id
                and k.id = t.task_id
                and k.create_time < ${before}
            )
          `,
        },
      ],
    },
  ],
})
