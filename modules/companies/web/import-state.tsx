import { Button, Modal, Progress } from 'antd'
import { count } from '#kit/web/figure.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { Choice } from '#kit/web/status.tsx'
import { taskState } from '#modules/system/contract/task.ts'
import { importState } from '../contract/transfer.ts'

/** How far one's latest import is; asked again every second while it runs. */
export function ImportState({ onClose }: { readonly onClose: () => void }) {
  const q = useCall(importState, {}, { quiet: true, fresh: 0, every: 1000 })
  const s = q.data
  const running = s?.state === 'waiting' || s?.state === 'running'
  return (
    <Modal
      open
      title="企业导入进度"
      width={420}
      footer={<Button onClick={onClose}>关闭</Button>}
      onCancel={onClose}
    >
      {q.isError && !s ? (
        <Trouble error={q.error} retry={() => void q.refetch()} />
      ) : !s ? (
        <div style={{ position: 'relative', height: 96 }}>
          <Skeleton rows={2} width={[200]} />
        </div>
      ) : s.taskId === undefined ? (
        <p role="status">还没有导入过企业</p>
      ) : (
        <div role="status" style={{ display: 'grid', gap: 8 }}>
          <div>
            <Choice of={taskState} value={s.state} />
          </div>
          <Progress
            percent={s.total ? Math.round(((s.done ?? 0) / s.total) * 100) : running ? 0 : 100}
            {...(s.state === 'failed' ? { status: 'exception' as const } : {})}
          />
          <p>{s.message ?? `已处理 ${count(s.done ?? 0)}${s.total ? ` / ${count(s.total)}` : ''}`}</p>
          {!running && (
            <p>
              成功 {count(s.success ?? 0)}，失败 {count(s.fail ?? 0)}，跳过 {count(s.skipped ?? 0)}
              。错误行可在任务中心下载
            </p>
          )}
        </div>
      )}
    </Modal>
  )
}
