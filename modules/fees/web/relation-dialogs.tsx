import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { toastResult } from '#kit/web/record-actions.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { endRelations, resumeRelations } from '../contract/relation-calls.ts'
import type { FeeRelation } from '../contract/relation.ts'

interface Props {
  readonly of: readonly FeeRelation[]
  readonly onClose: () => void
}

const describeRelations = (of: readonly FeeRelation[]): string =>
  of.length === 1
    ? `「${defined(of[0]).sourceName} ${defined(of[0]).standardName ?? ''}」`
    : ` ${of.length} 个收费关联`

const idsOf = (of: readonly FeeRelation[]): string[] => of.map(r => String(r.id))

const resumeGroups: readonly FormFieldGroup[] = [
  {
    keys: [
      'how',
      {
        key: 'day',
        isHidden: (v: { how?: string }) => v.how !== 'onwards',
        help: '自该日起收费，此前停收期间不补收',
      },
    ],
  },
]

/** 恢复收费 (CYC-8). */
export function ResumeDialog({ of, onClose }: Props) {
  const go = useSend(resumeRelations, { quiet: true })
  const initial = useMemo(() => ({ ids: idsOf(of), how: 'onwards' as const, day: today() }), [of])
  return (
    <EditDialog
      shape={resumeRelations.input}
      title={`恢复${describeRelations(of)}`}
      groups={resumeGroups}
      initial={initial}
      submitLabel="恢复收费"
      save={v => go.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, `已恢复${describeRelations(of)}`)
        onClose()
      }}
      below={v => (
        <p className="formula-read">
          {v.how === 'backwards' ? '停收期间没有出的账，下次出账时补上' : '停收期间不再出账'}
        </p>
      )}
    />
  )
}

const endGroups: readonly FormFieldGroup[] = [
  { keys: [{ key: 'endDate', help: '含当日' }, { key: 'reason' }] },
]

/** 结束收费 (CYC-3): what is billed beyond the day is for the bills to settle (CYC-9). */
export function EndDialog({ of, onClose }: Props) {
  const go = useSend(endRelations, { quiet: true })
  const initial = useMemo(() => ({ ids: idsOf(of), endDate: today() }), [of])
  const billed = of
    .flatMap(r => r.billedTo ?? [])
    .toSorted()
    .at(-1)
  return (
    <EditDialog
      shape={endRelations.input}
      title={`结束${describeRelations(of)}`}
      groups={endGroups}
      initial={initial}
      submitLabel="结束收费"
      save={v => go.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, `已结束${describeRelations(of)}`)
        onClose()
      }}
      below={v =>
        billed && v.endDate && billed > v.endDate ? (
          <p className="formula-read bad">
            已计费至 {billed}
            ，未缴的账单将在止收日拆分并作废其后的部分；已缴的会在账单备注里写明应退金额，请办理退款
          </p>
        ) : null
      }
    />
  )
}
