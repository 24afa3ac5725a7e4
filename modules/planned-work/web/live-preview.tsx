import { useEffect, useState } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Day, Moment } from '#kit/contract/field.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import type { WorkPlan } from '../contract/plan.ts'
import './live-preview.css'

/** One task as the plan would make it. */
export interface PreviewedTask {
  readonly taskDate: Day
  readonly beginTime: Moment
  readonly endTime: Moment
  readonly targetName?: string | undefined
  readonly staffNames?: string | undefined
  readonly nobodyReason?: string | undefined
  readonly absentNames?: string | undefined
}

interface LivePreviewProps<I> {
  readonly call: Call<I, readonly PreviewedTask[]>
  /** The current form; incomplete ones are not asked about. */
  readonly values: Partial<I & WorkPlan>
}

const settleMs = 500

/** Behind the number of tasks: a plan that does not run makes none. */
export const stoppedNote = '（计划未启用，启用后生成）'

const isComplete = (
  { projectCode, planName, subjectId, targetIds, times, staffIds, beginDate }: Partial<WorkPlan>,
  needsTargets: boolean,
): boolean =>
  Boolean(
    projectCode &&
    planName &&
    subjectId &&
    beginDate &&
    (!needsTargets || targetIds?.length) &&
    staffIds?.length &&
    times?.length &&
    times.every(({ begin, end }) => begin && end),
  )

const timeText = ({ taskDate, beginTime, endTime }: PreviewedTask): string =>
  `${beginTime.slice(11, 16)} ~ ${endTime.slice(0, 10) > taskDate ? '次日 ' : ''}${endTime.slice(11, 16)}`

const TaskRow = ({ task, hasTargets }: { readonly task: PreviewedTask; readonly hasTargets: boolean }) => (
  <tr>
    <td>{task.taskDate}</td>
    <td>{timeText(task)}</td>
    {hasTargets && <td>{task.targetName ?? '--'}</td>}
    <td>
      {task.nobodyReason === undefined ? (
        task.staffNames
      ) : (
        <Status tone="bad">无人可派：{task.nobodyReason}</Status>
      )}
    </td>
    <td>{task.nobodyReason === undefined ? (task.absentNames ?? '--') : '--'}</td>
  </tr>
)

/** What the plan will ask of whom in the next fourteen days, while it is written. */
export function LivePreview<I>({ call, values }: LivePreviewProps<I>) {
  const [settled, setSettled] = useState(values)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(values), settleMs)
    return () => clearTimeout(timer)
  }, [values])
  const { subjectId, targetIds } = call.input.fields
  const complete = isComplete(settled, targetIds?.required ?? false)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is complete is an input
  const input = settled as I
  const query = useCall(call, input, { quiet: true, enabled: complete, keepPrevious: true })
  if (!complete)
    return (
      <p className="plan-preview-note">
        填写{subjectId?.label}、{targetIds?.required ? `${targetIds.label}、` : ''}时段与人员后，显示今后 14
        天的任务
      </p>
    )
  if (query.isError) return <p className="plan-preview-note">{query.error.message}</p>
  const tasks = query.data
  if (!tasks) return <p className="plan-preview-note">正在计算…</p>
  if (!tasks.length) return <p className="plan-preview-note">今后 14 天没有任务</p>
  // Rounds have none.
  const hasTargets = tasks.some(task => task.targetName !== undefined)
  const withoutPeople = tasks.filter(task => task.nobodyReason !== undefined).length
  return (
    <section className="plan-preview" aria-label="今后 14 天的任务">
      <h3>
        今后 14 天 {tasks.length} 个任务
        {withoutPeople > 0 && `，其中 ${withoutPeople} 个无人可派`}
        {settled.state !== undefined && settled.state !== 'enabled' && stoppedNote}
      </h3>
      <ScrollRegion label="任务明细" className="rows">
        <table>
          <thead>
            <tr>
              <th>日期</th>
              <th>时间</th>
              {hasTargets && <th>对象</th>}
              <th>人员</th>
              <th>跳过</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task, i) => (
              <TaskRow key={i} task={task} hasTargets={hasTargets} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}
