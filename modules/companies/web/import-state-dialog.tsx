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
  const renderProgress = (state: NonNullable<typeof query.data>) => {
    const running = state.state === 'waiting' || state.state === 'running'
    if (state.taskId === undefined) return <p role="status">尚未导入过企业</p>
    return (
      <div role="status" style={{ display: 'grid', gap: 8 }}>
        <div>
          <ChoiceStatus choices={taskState} value={state.state} />
        </div>
        <Progress
          percent={state.total ? Math.round(((state.done ?? 0) / state.total) * 100) : running ? 0 : 100}
          {...(state.state === 'failed' ? { status: 'exception' as const } : {})}
        />
        <p>
          {state.message ??
            `已处理 ${formatCount(state.done ?? 0)}${state.total ? ` / ${formatCount(state.total)}` : ''}`}
        </p>
        {!running && (
          <p>
            成功 {formatCount(state.success ?? 0)}，失败 {formatCount(state.fail ?? 0)}，跳过{' '}
            {formatCount(state.skipped ?? 0)}
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
