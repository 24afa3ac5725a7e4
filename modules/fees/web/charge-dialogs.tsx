import { useMemo } from 'react'
import { tellDone } from '#kit/web/acts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { today } from '#kit/web/when.ts'
import { endRelations, resumeRelations } from '../contract/bind.ts'
import type { FeeRelation } from '../contract/relation.ts'

interface Props {
  readonly of: readonly FeeRelation[]
  readonly onClose: () => void
}

const called = (of: readonly FeeRelation[]): string =>
  of.length === 1 ? `「${of[0]!.sourceName} ${of[0]!.standardName ?? ''}」` : ` ${of.length} 个收费关联`

const idsOf = (of: readonly FeeRelation[]): string[] => of.map(r => String(r.id))

const resumeGroups: readonly AskGroup[] = [
  {
    keys: [
      'how',
      {
        key: 'day',
        hidden: (v: { how?: string }) => v.how !== 'onwards',
        help: '从这一天起收，之前停收的日子不再收',
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
      of={resumeRelations.input}
      title={`恢复${called(of)}`}
      groups={resumeGroups}
      initial={initial}
      words="恢复收费"
      save={v => go.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, `已恢复${called(of)}`)
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

const endGroups: readonly AskGroup[] = [{ keys: [{ key: 'endDate', help: '这一天还收' }, { key: 'reason' }] }]

/** 结束收费 (CYC-3): what is billed beyond the day is for the bills to settle (CYC-9). */
export function EndDialog({ of, onClose }: Props) {
  const go = useSend(endRelations, { quiet: true })
  const initial = useMemo(() => ({ ids: idsOf(of), endDate: today() }), [of])
  const billed = of
    .flatMap(r => r.billedTo ?? [])
    .sort()
    .at(-1)
  return (
    <EditDialog
      of={endRelations.input}
      title={`结束${called(of)}`}
      groups={endGroups}
      initial={initial}
      words="结束收费"
      save={v => go.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, `已结束${called(of)}`)
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
