import { Button, Modal, Progress } from 'antd'
import { formatCount } from '#kit/web/numbers.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '#modules/system/contract/task.ts'
import { getImportState } from '../contract/import-export.ts'

/** How far the user's latest import is; asked again every second while it runs. */
export function ImportStateDialog({ onClose }: { readonly onClose: () => void }) {
  const query = useCall(getImportState, {}, { quiet: true, staleMs: 0, refetchMs: 1000 })
  const renderProgress = (s: NonNullable<typeof query.data>) => {
    const running = s.state === 'waiting' || s.state === 'running'
    if (s.taskId === undefined) return <p role="status">尚未导入过企业</p>
    return (
      <div role="status" style={{ display: 'grid', gap: 8 }}>
        <div>
          <ChoiceStatus choices={taskState} value={s.state} />
        </div>
        <Progress
          percent={s.total ? Math.round(((s.done ?? 0) / s.total) * 100) : running ? 0 : 100}
          {...(s.state === 'failed' ? { status: 'exception' as const } : {})}
        />
        <p>
          {s.message ?? `已处理 ${formatCount(s.done ?? 0)}${s.total ? ` / ${formatCount(s.total)}` : ''}`}
        </p>
        {!running && (
          <p>
            成功 {formatCount(s.success ?? 0)}，失败 {formatCount(s.fail ?? 0)}，跳过{' '}
            {formatCount(s.skipped ?? 0)}
            。错误行可在任务中心下载
          </p>
        )}
      </div>
    )
  }
  return (
    <Modal
      open
      title="企业导入进度"
      width={420}
      footer={<Button onClick={onClose}>关闭</Button>}
      onCancel={onClose}
    >
      <Loaded query={query} height={96} rows={2} width={[200]} keepsAnswer>
        {renderProgress}
      </Loaded>
    </Modal>
  )
}
