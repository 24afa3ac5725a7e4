import { useState } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { ApproverPreview, type ChosenApprovers } from '#modules/approvals/web/public.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import { submitPurchase } from '../contract/actions.ts'
import type { Purchase } from '../contract/purchase.ts'
import { approvalFormOf } from './approval-form.ts'

interface SubmitDialogProps {
  readonly record: Purchase
  readonly onClose: () => void
}

/** 提交: who will be asked, and the approvers that the applicant chooses. */
export function SubmitDialog({ record, onClose }: SubmitDialogProps) {
  const [chosen, setChosen] = useState<ChosenApprovers>([])
  const sending = useSend(submitPurchase, { quiet: true })
  return (
    <EditDialog
      shape={submitPurchase.input}
      title={`提交采购申请 ${record.purchaseNo}`}
      groups={[{ keys: [] }]}
      draftKey={undefined}
      submitLabel="提交"
      presentation="dialog"
      below={() => (
        <ApproverPreview
          bizType="purchase"
          fields={purchaseKind.form}
          form={approvalFormOf(record)}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      save={() => sending.mutateAsync({ id: record.id, chosen })}
      onClose={onClose}
      onDone={() => {
        toast.success('已提交')
        onClose()
      }}
    />
  )
}
