import { Button, Modal, Select } from 'antd'
import { useState } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { useCall } from '#kit/web/query.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { listNodes } from '#modules/files/contract/node.ts'
import { sendCommand } from './command-confirm.ts'
import { CommandProgress } from './command-progress.tsx'
import { commandRefusal, type RemoteGateway } from './gateway-access.ts'
import './gateways.css'

/** Which package of the cloud files the gateway program is replaced by; it checks its signature. */
export function UpdateDialog({ of, onClose }: { readonly of: RemoteGateway; readonly onClose: () => void }) {
  const [keyword, setKeyword] = useState('')
  const [fileId, setFileId] = useState<string>()
  const [taskNo, setTaskNo] = useState<string>()
  const { data, isFetching } = useCall(
    listNodes,
    { projectCode: of.projectCode, keyword: keyword.trim() || 'anju-agent', page: 1, size: 50 },
    { keepPrevious: true, quiet: true, project: of.projectCode },
  )
  const files = (data?.rows ?? []).filter(node => node.type === 'file')
  const refusal = commandRefusal(of, 'updateAgent')
  const chosen = files.find(file => String(file.id) === fileId)
  const run = async (): Promise<void> => {
    if (!chosen) return
    const request = { gateway: of, command: 'updateAgent', fileId: parseId(fileId) } as const
    setTaskNo(await sendCommand(request, `升级包 ${chosen.name}`))
  }
  return (
    <Modal
      open
      width={560}
      title={`升级「${of.name}」的网关程序`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button
            type="primary"
            disabled={!chosen || refusal !== undefined}
            title={refusal}
            onClick={() => void run()}
          >
            升级网关程序
          </Button>
        </>
      }
    >
      <div className="control-form">
        <label>
          <span>
            <RequiredStar />
            升级包
          </span>
          <Select
            showSearch={{ filterOption: false, onSearch: setKeyword }}
            placeholder="云文件中的升级包，输入文件名搜索"
            loading={isFetching}
            value={fileId}
            notFoundContent="未找到文件，请先上传到云文件"
            options={files.map(file => ({
              value: String(file.id),
              label: `${file.name}（${formatFileSize(file.fileSize)}）`,
            }))}
            onChange={setFileId}
          />
          <small>{refusal ?? '升级包须有本系统的签名，否则网关拒绝升级'}</small>
        </label>
        <CommandProgress taskNo={taskNo} />
      </div>
    </Modal>
  )
}
