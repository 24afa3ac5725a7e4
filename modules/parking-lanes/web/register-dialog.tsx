import { useState } from 'react'
import { displayYuan } from '#kit/domain/money.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { reportPassage } from '../contract/passage.ts'

type Answer = NonNullable<typeof reportPassage.output.T>

const answerText = ({ isOpen, plateNo, reason, warning, due }: Answer): string =>
  [
    `${plateNo} ${isOpen ? '已放行' : '未放行'}：${reason}`,
    warning,
    due > 0 ? `待收 ${displayYuan(due)} 元，可在列表中收费` : undefined,
  ]
    .filter(Boolean)
    .join('；')

const groups = [{ keys: ['laneId', 'way', { key: 'plateNo' }, 'passTime', { key: 'hasPassed', wide: true }] }]

/** 登记通行: a car that no camera reported, decided as at the lane. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const sending = useSend(reportPassage, { quiet: true })
  const [passKey] = useState(() => `booth-${crypto.randomUUID()}`)
  return (
    <EditDialog
      shape={reportPassage.input}
      title="登记通行"
      groups={groups}
      initial={{ passKey }}
      draftKey={undefined}
      submitLabel="登记"
      presentation="dialog"
      save={values => sending.mutateAsync({ ...values, passKey })}
      onClose={onClose}
      onDone={answer => {
        if (answer.isOpen) {
          toast.success(answerText(answer))
        } else {
          toast.warning(answerText(answer))
        }
        onClose()
      }}
    />
  )
}
