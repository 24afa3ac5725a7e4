import { useState } from 'react'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import type { ChosenApprovers } from '#modules/approvals/web/public.ts'
import { sendOwnApplication } from '../contract/own-apply.ts'
import { hasNoEnd, isLeave, isMend, isSwap, missingOf } from './own-draft.ts'
import { OwnPreview } from './own-preview.tsx'

type Values = Readonly<Record<string, unknown>>

const groups = [
  {
    keys: [
      'applyType',
      { key: 'leaveType', isRequired: true, isHidden: (values: Values) => !isLeave(values) },
      { key: 'mendPoint', isHidden: (values: Values) => !isMend(values) },
      { key: 'beginTime', isRequired: true, isHidden: isSwap },
      { key: 'endTime', isRequired: true, isHidden: hasNoEnd },
      { key: 'workDay', isHidden: (values: Values) => !isSwap(values) },
      { key: 'restDay', isHidden: (values: Values) => !isSwap(values) },
      { key: 'reason', wide: true },
      { key: 'attachments', wide: true, control: imagesControl },
    ],
  },
]

/** Somebody asks for leave, a mended punch and the like; its approvers are shown before it is sent. */
export function OwnRequestDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ChosenApprovers>([])
  const sending = useSend(sendOwnApplication, { quiet: true })
  return (
    <EditDialog
      shape={sendOwnApplication.input}
      title="考勤申请"
      groups={groups}
      initial={{ applyType: 'leave' }}
      draftKey={draftKeyOf(sendOwnApplication, 'new')}
      submitLabel="提交申请"
      presentation="drawer"
      rules={values => {
        const missing = missingOf(values)
        return Object.keys(missing).length ? missing : undefined
      }}
      below={values => <OwnPreview values={values} chosen={chosen} onChoose={setChosen} />}
      save={values => sending.mutateAsync({ ...values, chosen })}
      onClose={onClose}
      onDone={({ state }) => {
        toast.success(state === 'passed' ? '已通过' : '已提交，等待审批')
        onClose()
      }}
    />
  )
}
