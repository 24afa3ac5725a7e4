import { Button } from 'antd'
import { InboxOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import { formatFileSize } from '#kit/contract/text.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { invalidate } from '#kit/web/query.ts'
import { upload } from '#kit/web/upload.ts'
import { importChannelBill, type ChannelBill } from '../contract/channel-bill.ts'

const groups = [{ keys: ['checkDate', 'channel'] }]

/** The file as it was downloaded at the channel; the server reads what it is. */
export function ImportBillDialog({
  initial,
  onClose,
  onDone,
}: {
  readonly initial: Partial<Pick<ChannelBill, 'checkDate' | 'channel'>>
  readonly onClose: () => void
  readonly onDone: (b: ChannelBill) => void
}) {
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const save = async (values: Pick<ChannelBill, 'checkDate' | 'channel'>): Promise<ChannelBill> => {
    if (!file) {
      setFault('请选择账单文件')
      throw new Error('请选择账单文件')
    }
    const imported = await upload(importChannelBill, values, file, { quiet: true })
    await invalidate(importChannelBill.affects ?? [])
    return imported
  }
  return (
    <EditDialog
      shape={importChannelBill.input}
      draftKey={undefined}
      presentation="dialog"
      title="导入渠道账单"
      groups={groups}
      initial={initial}
      submitLabel="导入并核对"
      save={save}
      onClose={onClose}
      onDone={a => onDone(a)}
      below={() => (
        <div className="rec-file">
          <Button icon={<InboxOutlined />} onClick={() => picker.current?.click()}>
            选择账单文件
          </Button>
          <input
            ref={picker}
            type="file"
            hidden
            aria-label="账单文件"
            accept=".csv,.xlsx,.xls,.zip"
            onChange={e => {
              setFile(e.target.files?.[0])
              setFault('')
            }}
          />
          <span>
            {file
              ? `${file.name}（${formatFileSize(file.size)}）`
              : 'csv、xlsx，或支付宝下载的 zip；同一天再导入会替换原来的账单'}
          </span>
          {fault && <em role="alert">{fault}</em>}
        </div>
      )}
    />
  )
}
