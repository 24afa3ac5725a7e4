import { defined } from '#kit/domain/defined.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { today } from '#kit/web/date-format.ts'
import { endRelations, resumeRelations } from '../contract/relation-calls.ts'
import type { FeeRelation } from '../contract/relation.ts'

type Relations = readonly FeeRelation[]

const describeRelations = (of: Relations): string =>
  of.length === 1
    ? `「${defined(of[0]).sourceName} ${defined(of[0]).standardName ?? ''}」`
    : ` ${of.length} 个收费关联`

const target = (of: Relations) => ({ ids: of.map(r => String(r.id)) })

/** 恢复收费 (CYC-8). */
export const ResumeDialog = actionDialog({
  call: resumeRelations,
  title: of => `恢复${describeRelations(of)}`,
  submitLabel: '恢复收费',
  keys: [
    'resumeMode',
    {
      key: 'day',
      isHidden: (v: { resumeMode?: string }) => v.resumeMode !== 'onwards',
      help: '自该日起收费，此前停收期间不补收',
    },
  ],
  target,
  initial: () => ({ resumeMode: 'onwards' as const, day: today() }),
  doneText: of => `已恢复${describeRelations(of)}`,
  below: v => (
    <p className="formula-read">
      {v.resumeMode === 'backwards' ? '停收期间未出的账单，下次出账时补出' : '停收期间不再出账'}
    </p>
  ),
})

/** 结束收费 (CYC-3): what is billed beyond the day is for the bills to settle (CYC-9). */
export const EndDialog = actionDialog({
  call: endRelations,
  title: of => `结束${describeRelations(of)}`,
  submitLabel: '结束收费',
  keys: [{ key: 'endDate', help: '含当日' }, 'reason'],
  target,
  initial: () => ({ endDate: today() }),
  doneText: of => `已结束${describeRelations(of)}`,
  below: (values, of) => {
    const billed = of
      .flatMap(r => r.billedTo ?? [])
      .toSorted()
      .at(-1)
    return billed && values.endDate && billed > values.endDate ? (
      <p className="formula-read bad">
        已计费至 {billed}
        ，未缴的账单将在止收日拆分并作废其后的部分；已缴的会在账单备注中注明应退金额，请办理退款
      </p>
    ) : null
  },
})
