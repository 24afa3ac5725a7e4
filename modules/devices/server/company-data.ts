import { type CompanyData, transientColumn } from '#kit/server/company-data/declaration.ts'
import { secretKeyPattern, secretTextPattern } from '../domain/secret-item.ts'

/** Whole outputs are under their tasks, whose rows do not name them. */
const fileFolders = `
  select o.file_key as key, '远程任务/' || t.task_no as folder
  from remote_task_output o
  join remote_task t on t.owner_id = $1 and t.id = o.task_id
  where o.owner_id = $1 and o.file_key is not null
`

export const companyData: CompanyData = {
  fileFolders,
  tables: {
    // Codes of residents and visitors, and passwords: who reads one opens the doors.
    device_item: {
      columns: { run_data: '下发内容' },
      rows: `item_key !~ '${secretKeyPattern}'`,
      secretRows: '通行码、邀请码、密码的下发项',
    },
    device_event: {
      rows: `content !~ '${secretTextPattern}'`,
      secretRows: '内容含通行码、邀请码、密码，或可能是码的号码的事件',
    },
    gateway: { columns: { run_connection_key: transientColumn('当前连接') } },
    gateway_key: {
      label: '网关公钥',
      columns: { gateway_id: '网关编号', key_id: '公钥摘要', public_key: '公钥', last_seq: '最后的消息号' },
    },
    gateway_pairing: { label: '网关配对码', omitted: 'secret' },
    remote_task: {
      columns: {
        run_input: '指令内容',
        run_timeout: '时限（秒）',
        run_purpose: '用途',
        run_reference: '关联',
        run_retries: '重试次数',
        run_file_id: '文件编号',
        run_was_tried: '已尝试',
      },
    },
    remote_task_output: {
      label: '远程任务结果',
      columns: {
        task_id: '任务编号',
        output: '输出',
        data: '数据',
        file_key: '完整输出文件',
        file_size: '完整输出大小',
        file_sha256: '完整输出 SHA-256',
      },
    },
    watchdog: { columns: { run_attempts: '尝试次数' } },
  },
}
