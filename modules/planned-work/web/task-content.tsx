import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { extraReason, stepResult, stepVerdict } from '../contract/choices.ts'
import type { WorkStep } from '../contract/task.ts'
import { getTask } from '../contract/task-calls.ts'
import './planned-work.css'

const offsetText = ({ clockOffset }: WorkStep): string =>
  clockOffset === undefined ? '' : `，设备时钟偏差 ${Math.round(clockOffset / 60)} 分钟`

const StepRow = ({ step }: { readonly step: WorkStep }) => (
  <tr>
    <td>{step.stepName}</td>
    <td>{step.dueTime.slice(5, 16)}</td>
    <td>
      {step.signTime?.slice(5, 16) ?? '--'}
      {step.isOffline && <small> 离线补传{offsetText(step)}</small>}
    </td>
    <td>{step.result ? <ChoiceStatus choices={stepResult} value={step.result} /> : '未到'}</td>
    <td>
      {step.verdict && <ChoiceStatus choices={stepVerdict} value={step.verdict} />}
      {step.value !== undefined && ` ${step.value}${step.needs?.unit ?? ''}`}
    </td>
    <td>
      {[step.abnormal, step.remark].filter(Boolean).join('；')}
      {step.photos && step.photos.length > 0 && <StoredImages fileKeys={step.photos} size={40} />}
      {step.workOrderNo && <small> 工单 {step.workOrderNo}</small>}
    </td>
  </tr>
)

type Sign = NonNullable<typeof getTask.output.T>['signs'][number]

const ExtraSign = ({ sign }: { readonly sign: Sign }) => (
  <li>
    {sign.serverTime.slice(5, 16)} {sign.staffName} {sign.stepName ?? '未识别的签到'}：
    {sign.extraReason ? labelOf(extraReason, sign.extraReason) : ''}
  </li>
)

interface TaskContentProps {
  readonly taskId: Id
  /** That of the task's kind. */
  readonly call?: typeof getTask
}

/** What a task asked, what came of it, and the signs that did not count. */
export function TaskContent({ taskId, call = getTask }: TaskContentProps) {
  const query = useCall(call, { id: taskId }, { quiet: true })
  return (
    <ScrollRegion label="任务明细" className="work-steps">
      <Loaded query={query} height={320} rows={6}>
        {({ steps, signs }) => {
          const extra = signs.filter(({ isKept }) => !isKept)
          return (
            <>
              <table>
                <thead>
                  <tr>
                    <th>检查项</th>
                    <th>应到</th>
                    <th>实到</th>
                    <th>到位</th>
                    <th>结果</th>
                    <th>说明</th>
                  </tr>
                </thead>
                <tbody>
                  {steps.map(step => (
                    <StepRow key={step.id} step={step} />
                  ))}
                </tbody>
              </table>
              {extra.length > 0 && (
                <>
                  <h3>未计入的签到</h3>
                  <ul>
                    {extra.map(sign => (
                      <ExtraSign key={sign.id} sign={sign} />
                    ))}
                  </ul>
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </ScrollRegion>
  )
}
