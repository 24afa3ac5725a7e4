import { Checkbox, Select } from 'antd'
import { useState } from 'react'
import { useSend } from '#kit/web/query.ts'
import { defaultShareDays } from '../contract/limits.ts'
import type { FileShare } from '../contract/folder.ts'
import { shareNodes } from '../contract/transfer.ts'
import { NodeDialog, type NodeDialogProps } from './node-dialog.tsx'
import { selectionInput } from './node.ts'
import { ShareList } from './share-list.tsx'

const dayChoices = [1, defaultShareDays, 30, 365].map(days => ({ value: days, label: `${days} 天` }))

/** Asks how long and whether with a code, then shows the link. */
export function ShareDialog({ projectCode, nodes, onClose }: NodeDialogProps) {
  const [days, setDays] = useState(defaultShareDays)
  const [hasCode, setHasCode] = useState(true)
  const [made, setMade] = useState<FileShare>()
  const sending = useSend(shareNodes)
  const share = async (): Promise<void> =>
    setMade(await sending.mutateAsync({ projectCode, ...selectionInput(nodes), days, hasCode }))
  return (
    <NodeDialog
      action="分享"
      okLabel="创建链接"
      isBusy={sending.isPending}
      nodes={nodes}
      run={made ? undefined : share}
      onClose={onClose}
    >
      {made ? (
        <ShareList shares={[made]} />
      ) : (
        <div className="share-form">
          <label>
            有效期
            <Select value={days} options={dayChoices} onChange={setDays} aria-label="有效期" />
          </label>
          <Checkbox checked={hasCode} onChange={event => setHasCode(event.target.checked)}>
            需要提取码
          </Checkbox>
          <p>打开链接的人无需登录即可下载；文件删除或撤销分享后链接失效。</p>
        </div>
      )}
    </NodeDialog>
  )
}
