import { Button, Progress } from 'antd'
import { CaretRightOutlined, CloseOutlined, PauseOutlined } from '@ant-design/icons'
import { memo, useRef, useState } from 'react'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { MiddleEllipsis } from './node-icon.tsx'
import { uploadsInOrder, type UploadItem, type UploadState } from './upload-item.ts'
import { attachFiles, clearFinished, pauseUpload, removeUpload, resumeUpload, useUploads } from './uploads.ts'

const labels: Readonly<Record<UploadState, string>> = {
  queued: '等待上传',
  sending: '正在上传',
  paused: '已暂停',
  waiting: '网络中断，恢复后自动续传',
  saving: '正在保存',
  done: '已上传',
  failed: '上传失败',
  detached: '上次未传完，重新选择此文件即可续传',
}

const tones = {
  queued: 'open',
  sending: 'doing',
  paused: 'hold',
  waiting: 'todo',
  saving: 'doing',
  done: 'done',
  failed: 'bad',
  detached: 'hold',
} as const

/** What has not started is not interrupted. */
const labelOf = ({ state, sentBytes }: UploadItem): string =>
  state === 'waiting' && sentBytes === 0 ? '等待网络' : labels[state]

const percentOf = ({ sentBytes, size }: UploadItem): number =>
  size > 0 ? Math.floor((sentBytes / size) * 100) : 100

const UploadRow = memo(function UploadRow({ item }: { readonly item: UploadItem }) {
  const { key, state, name } = item
  const canPause = state === 'sending' || state === 'queued' || state === 'waiting'
  return (
    <li data-state={state}>
      <div className="upload-name">
        <MiddleEllipsis text={name} />
        <small className="figure">
          {percentOf(item)}% · {formatFileSize(item.size)}
        </small>
      </div>
      <Progress
        percent={percentOf(item)}
        showInfo={false}
        size="small"
        aria-label={`「${name}」的上传进度`}
      />
      <div className="upload-state">
        <Status tone={tones[state]} plain>
          {item.fault ?? labelOf(item)}
        </Status>
        <span className="spring" />
        {canPause && (
          <button
            type="button"
            className="plain"
            aria-label={`暂停「${name}」`}
            onClick={() => pauseUpload(key)}
          >
            <PauseOutlined />
          </button>
        )}
        {state === 'paused' && (
          <button
            type="button"
            className="plain"
            aria-label={`继续「${name}」`}
            onClick={() => resumeUpload(key)}
          >
            <CaretRightOutlined />
          </button>
        )}
        {state !== 'saving' && (
          <button
            type="button"
            className="plain"
            aria-label={state === 'done' || state === 'failed' ? `移除「${name}」` : `取消上传「${name}」`}
            onClick={() => removeUpload(key)}
          >
            <CloseOutlined />
          </button>
        )}
      </div>
    </li>
  )
})

function summaryOf(items: readonly UploadItem[]): string {
  const count = (...states: readonly UploadState[]): number =>
    items.filter(({ state }) => states.includes(state)).length
  const failed = count('failed')
  return [
    `已上传 ${count('done')}/${items.length}`,
    ...(failed ? [`失败 ${failed}`] : []),
    ...(count('waiting') ? ['网络中断，恢复后自动续传'] : []),
  ].join('，')
}

function ResumeAfterReload() {
  const input = useRef<HTMLInputElement>(null)
  const attach = (files: FileList | null): void => {
    if (!files?.length) return
    const count = attachFiles([...files])
    if (!count) {
      toast.warning('所选文件不在未传完的文件中，请选择同名且未修改的文件')
    }
  }
  return (
    <>
      <Button size="small" onClick={() => input.current?.click()}>
        选择文件续传
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="选择未传完的文件"
        onChange={event => {
          attach(event.target.files)
          event.target.value = ''
        }}
      />
    </>
  )
}

/** What is being uploaded, file by file. It stays until it is cleared. */
export function UploadPanel() {
  const items = useUploads()
  const [chosenOpen, setOpen] = useState<boolean>()
  if (!items.length) return null
  // By default it folds when there is nothing more to see.
  const isOpen = chosenOpen ?? items.some(({ state }) => state !== 'done')
  const hasDetached = items.some(({ state }) => state === 'detached')
  const hasFinished = items.some(({ state }) => state === 'done' || state === 'failed')
  return (
    <section className="upload-panel" aria-label="上传任务">
      <header>
        <strong role="status">{summaryOf(items)}</strong>
        <span className="spring" />
        {hasDetached && <ResumeAfterReload />}
        {hasFinished && (
          <button type="button" className="linkish" onClick={clearFinished}>
            清除已结束
          </button>
        )}
        <button type="button" className="linkish" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '收起' : '展开'}
        </button>
      </header>
      {isOpen && (
        <ul className="scroll" tabIndex={-1}>
          {uploadsInOrder(items).map(item => (
            <UploadRow key={item.key} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}
