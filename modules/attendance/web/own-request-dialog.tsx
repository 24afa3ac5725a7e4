import { useState } from 'react'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import type { ChosenApprovers } from '#modules/approvals/web/public.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { resendOwnApplication, sendOwnApplication } from '../contract/own-apply.ts'
import {
  amendmentOf,
  beginHelp,
  hasNoEnd,
  isLeave,
  isMend,
  isSwap,
  missingOf,
  type OwnDraft,
} from './own-draft.ts'
import { nameOfApplication } from './application-actions.ts'
import { OwnPreview } from './own-preview.tsx'

type Values = Readonly<Record<string, unknown>>

type FormKey = FormFieldGroup['keys'][number]

const groupsWith = (type: FormKey): readonly FormFieldGroup[] => [
  {
    keys: [
      type,
      { key: 'leaveType', isRequired: true, isHidden: (values: Values) => !isLeave(values) },
      { key: 'mendPoint', isHidden: (values: Values) => !isMend(values) },
      { key: 'beginTime', isRequired: true, help: beginHelp, isHidden: isSwap },
      { key: 'endTime', isRequired: true, isHidden: hasNoEnd },
      { key: 'workDay', isHidden: (values: Values) => !isSwap(values) },
      { key: 'restDay', isHidden: (values: Values) => !isSwap(values) },
      { key: 'reason', wide: true },
      { key: 'attachments', wide: true, control: imagesControl },
    ],
  },
]

const newGroups = groupsWith('applyType')
const amendGroups = groupsWith({
  key: 'applyType',
  disabledReason: () => '类型不能更改；要改类型的，请放弃后重新申请',
})

const report = ({ state }: AttendanceApply): void => {
  toast.success(state === 'passed' ? '已通过' : '已提交，等待审批')
}

const faultsOf = (values: Partial<OwnDraft>) => {
  const missing = missingOf(values)
  return Object.keys(missing).length ? missing : undefined
}

/** Somebody asks for leave, a mended punch and the like; its approvers are shown before it is sent. */
export function OwnRequestDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ChosenApprovers>([])
  const sending = useSend(sendOwnApplication, { quiet: true })
  return (
    <EditDialog
      shape={sendOwnApplication.input}
      title="考勤申请"
      groups={newGroups}
      initial={{ applyType: 'leave' }}
      draftKey={draftKeyOf(sendOwnApplication, 'new')}
      submitLabel="提交申请"
      presentation="drawer"
      rules={faultsOf}
      below={values => <OwnPreview values={values} chosen={chosen} onChoose={setChosen} />}
      save={values => sending.mutateAsync({ ...values, chosen })}
      onClose={onClose}
      onDone={row => {
        report(row)
        onClose()
      }}
    />
  )
}

interface OwnAmendDialogProps {
  readonly row: AttendanceApply
  readonly onClose: () => void
}

/** What came back is changed and goes in again; its sort stays (APR-4). */
export function OwnAmendDialog({ row, onClose }: OwnAmendDialogProps) {
  const [chosen, setChosen] = useState<ChosenApprovers>([])
  const [initial] = useState(() => amendmentOf(row))
  const sending = useSend(resendOwnApplication, { quiet: true })
  return (
    <EditDialog
      shape={resendOwnApplication.input}
      title={`修改「${nameOfApplication(row)}」${row.returnReason ? `（退回原因：${row.returnReason}）` : ''}`}
      groups={amendGroups}
      initial={initial}
      draftKey={draftKeyOf(resendOwnApplication, row.id)}
      submitLabel="重新提交"
      presentation="drawer"
      rules={faultsOf}
      below={values => <OwnPreview values={values} amended={initial} chosen={chosen} onChoose={setChosen} />}
      save={values => sending.mutateAsync({ ...values, id: initial.id, version: initial.version, chosen })}
      onClose={onClose}
      onDone={answer => {
        report(answer)
        onClose()
      }}
    />
  )
}
