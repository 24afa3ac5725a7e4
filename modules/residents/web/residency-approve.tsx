import { useState } from 'react'
import { defined } from '#kit/domain/defined.ts'
import { today } from '#kit/web/date-format.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import { useSend } from '#kit/web/query.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { auditResidencies, type Residency } from '../contract/residency.ts'

export const residencyName = (r: Residency): string => `${r.roomPath ?? ''} ${r.userName ?? ''}`

const approveGroups = [{ keys: [{ key: 'inDate', help: '不填则只登记关系，不改变房态' }] }]

interface ApproveDialogProps {
  readonly residencies: readonly Residency[]
  /** Which of the selected ones are left out, in words. */
  readonly excluded?: string | undefined
  readonly onClose: () => void
}

export function ApproveDialog({ residencies, excluded, onClose }: ApproveDialogProps) {
  const audit = useSend(auditResidencies, { quiet: true })
  const [initial] = useState(() => ({
    ids: residencies.map(r => String(r.id)),
    pass: true,
    inDate: residencies.find(r => r.inDate)?.inDate ?? today(),
  }))
  return (
    <EditDialog
      shape={auditResidencies.input}
      title={
        residencies.length === 1
          ? `审核通过「${residencyName(defined(residencies[0]))}」`
          : `审核通过 ${residencies.length} 条入住申请`
      }
      groups={approveGroups}
      draftKey={draftKeyOf(auditResidencies, initial.ids)}
      initial={initial}
      submitLabel="审核通过"
      presentation="dialog"
      {...(excluded ? { below: () => <p>{excluded}</p> } : {})}
      save={v => audit.mutateAsync({ ...v, ids: initial.ids, pass: true })}
      onClose={onClose}
      onDone={answer => {
        reportBulkResult(answer, '审核结果')
        onClose()
      }}
    />
  )
}

/** The selected residencies that wait for an audit; the others are named, so that nobody misses them. */
export const splitPending = (
  residencies: readonly Residency[],
): { pending: readonly Residency[]; excluded: string | undefined } => {
  const others = residencies.filter(r => r.status !== 'pending')
  const names = others.slice(0, 5).map(r => r.userName)
  return {
    pending: residencies.filter(r => r.status === 'pending'),
    excluded: others.length
      ? `另有 ${others.length} 条不是待审核，不处理：${names.join('、')}${others.length > 5 ? ' 等' : ''}`
      : undefined,
  }
}

export const rejectResidencies = (residencies: readonly Residency[], excluded?: string): Promise<boolean> =>
  confirmAndSend(auditResidencies, {
    actionLabel: '驳回',
    unit: '条入住申请',
    count: residencies.length,
    ...(residencies.length === 1
      ? { title: `驳回「${residencyName(defined(residencies[0]))}」的入住申请` }
      : {}),
    reason: { presets: ['资料不全', '与业主登记不符'] },
    consequences: ['申请人可以补充后重新申请', ...(excluded ? [excluded] : [])],
    input: { ids: residencies.map(r => String(r.id)), pass: false },
  })
