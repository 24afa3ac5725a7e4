import { Button } from 'antd'
import { useState } from 'react'
import { weekdayName } from '#kit/domain/day.ts'
import { previewSchedule, type schedules } from '../contract/schedule.ts'
import { stoppedNote } from './live-preview.tsx'
import { useSend } from '#kit/web/query.ts'

export type PlanDraft = NonNullable<typeof schedules.add.input.T>
type PreviewRow = NonNullable<typeof previewSchedule.output.T>[number]

const shownRows = 60

const PreviewTable = ({ rows }: { readonly rows: readonly PreviewRow[] }) => (
  <table className="work-preview">
    <thead>
      <tr>
        <th>日期</th>
        <th>时间</th>
        <th>对象</th>
        <th>执行人</th>
        <th>跳过</th>
      </tr>
    </thead>
    <tbody>
      {rows.slice(0, shownRows).map((row, i) => (
        <tr key={i} className={row.nobodyReason === undefined ? undefined : 'nobody'}>
          <td>
            {row.day} {weekdayName(row.day)}
          </td>
          <td>
            {row.begin.slice(11, 16)}–{row.end.slice(11, 16)}
          </td>
          <td>{row.targetName ?? '--'}</td>
          <td>{row.nobodyReason === undefined ? row.staffNames : '无人可派'}</td>
          <td>{row.nobodyReason ?? row.absences ?? ''}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const isComplete = (draft: Partial<PlanDraft>): draft is PlanDraft =>
  Boolean(draft.planName && draft.projectCode && draft.subjectId && draft.beginDate) &&
  (draft.staffIds?.length ?? 0) > 0 &&
  (draft.times?.length ?? 0) > 0

/** What the plan will ask of whom in the next 14 days, before it is saved. */
export function PlanPreview({ draft }: { readonly draft: Partial<PlanDraft> }) {
  const preview = useSend(previewSchedule)
  const [rows, setRows] = useState<readonly PreviewRow[]>()
  const nobody = rows?.filter(row => row.nobodyReason !== undefined).length ?? 0
  return (
    <section className="work-preview-box" aria-label="未来 14 天的任务">
      <header>
        <Button
          disabled={!isComplete(draft)}
          loading={preview.isPending}
          onClick={() => {
            if (isComplete(draft)) {
              void preview.mutateAsync(draft).then(setRows, () => setRows(undefined))
            }
          }}
        >
          预览未来 14 天
        </Button>
        <output>
          {rows && `共 ${rows.length} 个任务${nobody ? `，其中 ${nobody} 个无人可派` : ''}`}
          {rows && rows.length > 0 && draft.state !== undefined && draft.state !== 'enabled' && stoppedNote}
        </output>
      </header>
      {rows && rows.length > 0 && <PreviewTable rows={rows} />}
      {rows && rows.length > shownRows && <small>仅显示前 {shownRows} 个</small>}
    </section>
  )
}
