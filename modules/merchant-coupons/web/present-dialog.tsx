import TextArea from 'antd/es/input/TextArea'
import { useState } from 'react'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { toast } from '#kit/web/toast.ts'
import { issueCodes, maxPlates, presentTickets } from '../contract/ticket.ts'

interface DialogProps {
  readonly onClose: () => void
}

const separators = /[\s,，、;；]+/

/** Plates as they are typed, or pasted as a column of a sheet. */
function PlatesControl(props: ControlProps) {
  const plates = Array.isArray(props.value) ? props.value.map(String) : []
  const [text, setText] = useState(plates.join('\n'))
  return (
    <TextArea
      {...ariaProps(props)}
      autoSize={{ minRows: 4, maxRows: 12 }}
      placeholder="每行一个，可从 Excel 粘贴一列"
      value={text}
      disabled={props.disabled}
      onBlur={props.onBlur}
      onChange={event => {
        setText(event.target.value)
        props.onChange(event.target.value.split(separators).filter(Boolean))
      }}
    />
  )
}

const presentGroups = [
  {
    keys: [
      'merchantId',
      'couponId',
      {
        key: 'plateNos',
        control: PlatesControl,
        wide: true,
        help: `每个车牌发一张，一次最多 ${maxPlates} 个`,
      },
    ],
  },
]

/** 发放停车券: one to each plate, out of the merchant's stock. */
export function PresentDialog({ onClose }: DialogProps) {
  const sending = useSend(presentTickets, { quiet: true })
  return (
    <EditDialog
      shape={presentTickets.input}
      title="发放停车券"
      groups={presentGroups}
      draftKey={undefined}
      submitLabel="发放"
      presentation="dialog"
      save={values => sending.mutateAsync(values)}
      onClose={onClose}
      onDone={result => {
        reportBulkResult(result, '发放停车券')
        onClose()
      }}
    />
  )
}

const issueGroups = [{ keys: ['merchantId', 'couponId', 'qty'] }]
const issueInitial = { qty: 24 }

/** 生成一次性码: tickets without a plate; their codes are printed from the list. */
export function IssueDialog({ onClose }: DialogProps) {
  const sending = useSend(issueCodes, { quiet: true })
  return (
    <EditDialog
      shape={issueCodes.input}
      title="生成一次性码"
      groups={issueGroups}
      initial={issueInitial}
      draftKey={undefined}
      submitLabel="生成"
      presentation="dialog"
      save={values => sending.mutateAsync(values)}
      onClose={onClose}
      onDone={({ ids }) => {
        toast.success(`已生成 ${ids.length} 个一次性码，点击「打印一次性码」下载`)
        onClose()
      }}
    />
  )
}
