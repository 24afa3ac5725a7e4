import { useState } from 'react'
import { Link } from 'react-router'
import { secondsBetween } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import {
  extraReason,
  signType,
  stepResult,
  stepVerdict,
  taskState,
} from '#modules/planned-work/contract/choices.ts'
import type { WorkTask } from '#modules/planned-work/contract/task.ts'
import { useAssign } from '#modules/planned-work/web/public.assign.ts'
import { assignPatrolTasks, getPatrolTask } from '../contract/task.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
import { RoadDiagram, type RoadStop } from './road-drawing.tsx'
import { disableTask, reassignAction, taskName } from './task-actions.ts'
import './patrol.css'

const ReassignDialog = lazyComponent(() => import('./reassign-dialog.tsx').then(m => m.ReassignDialog))

type Detail = NonNullable<typeof getPatrolTask.output.T>
type Step = Detail['steps'][number]
type Sign = Detail['signs'][number]

/** What was found at the point: failed checks, words, photos and the order that came of it. */
function StepFindings({ step }: { readonly step: Step }) {
  const checks = (step.items ?? []).map(item =>
    [item.name, item.value, labelOf(stepVerdict, item.verdict)].filter(Boolean).join(' '),
  )
  const texts = [...checks, ...(step.abnormal ? [step.abnormal] : [])]
  return (
    <>
      {texts.length ? texts.join('；') : '--'}
      {step.photos && step.photos.length > 0 && <StoredImages fileKeys={step.photos} size={48} />}
      {step.workOrderId !== undefined && (
        <Link to={`${paths.workOrder}?id=${step.workOrderId}`}>{step.workOrderNo ?? '工单'}</Link>
      )}
    </>
  )
}

const StepRow = ({ step }: { readonly step: Step }) => (
  <tr>
    <td className="right">{step.sort}</td>
    <td>{step.stepName}</td>
    <td>{step.dueTime.slice(11, 16)}</td>
    <td>{step.signTime?.slice(11, 19) ?? '--'}</td>
    <td>{step.result ? <ChoiceStatus choices={stepResult} value={step.result} /> : '--'}</td>
    <td>
      {step.signType ? labelOf(signType, step.signType) : '--'}
      {step.isOffline && <small> 离线补传</small>}
      {step.clockOffset !== undefined && <small> 时钟偏差 {Math.round(step.clockOffset / 60)} 分钟</small>}
    </td>
    <td>{step.isAbnormal ? <Status tone="bad">异常</Status> : '--'}</td>
    <td>
      <StepFindings step={step} />
    </td>
  </tr>
)

/** Everything that was received and is not counted (PAT-6). */
const ExtraSigns = ({ signs }: { readonly signs: readonly Sign[] }) =>
  signs.length ? (
    <section>
      <h3>未计入的签到 {signs.length}</h3>
      <table>
        <thead>
          <tr>
            <th>设备时间</th>
            <th>收到时间</th>
            <th>点位</th>
            <th>签到人</th>
            <th>方式</th>
            <th>原因</th>
          </tr>
        </thead>
        <tbody>
          {signs.map(sign => (
            <tr key={sign.id}>
              <td>{sign.deviceTime}</td>
              <td>{sign.serverTime}</td>
              <td>{sign.stepName ?? '--'}</td>
              <td>{sign.staffName ?? '--'}</td>
              <td>{labelOf(signType, sign.signType)}</td>
              <td>{sign.extraReason ? labelOf(extraReason, sign.extraReason) : '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ) : null

/** The points of the round with what came of each. */
const stopsOf = ({ beginTime, steps }: Detail): readonly RoadStop[] =>
  steps.map(({ subjectId, stepName, dueTime, tolerance = 0, result }, i) => ({
    pointId: subjectId,
    name: stepName,
    legMinutes: Math.round(secondsBetween(steps[i - 1]?.dueTime ?? beginTime, dueTime) / 60),
    tolerance,
    ...(result && { tone: stepResult.rows[result]?.[2], note: labelOf(stepResult, result) }),
  }))

const TaskRecords = ({ task }: { readonly task: Detail }) => (
  <ScrollRegion label="巡更记录" className="patrol-records">
    <RoadDiagram drawing={task.drawing} stops={stopsOf(task)} />
    <section>
      <h3>巡更记录</h3>
      <table>
        <thead>
          <tr>
            <th className="right">顺序</th>
            <th>点位</th>
            <th>应到</th>
            <th>实到</th>
            <th>结果</th>
            <th>方式</th>
            <th>异常</th>
            <th>检查与说明</th>
          </tr>
        </thead>
        <tbody>
          {task.steps.map(step => (
            <StepRow key={step.id} step={step} />
          ))}
        </tbody>
      </table>
    </section>
    <ExtraSigns signs={task.signs.filter(sign => !sign.isKept)} />
  </ScrollRegion>
)

const groups = [
  {
    title: '任务',
    keys: [
      'planName',
      'taskDate',
      'beginTime',
      'endTime',
      'closeTime',
      { key: 'staffName', label: '巡更人' },
      'candidateNames',
      'assignerName',
      'assignTime',
    ],
  },
  {
    title: '结果',
    keys: [
      { key: 'stepTotal', label: '应巡点' },
      { key: 'stepDone', label: '已巡点' },
      'normalCount',
      'earlyCount',
      'lateCount',
      'disorderCount',
      'missCount',
      'abnormalCount',
      'finishTime',
      'againText',
      'nobodyReason',
      'disableReason',
    ],
  },
] satisfies readonly DetailGroup<Detail>[]

/** 巡更任务详情 */
export default function TaskDetailPage() {
  const [reassigned, reassign] = useState<WorkTask>()
  const assign = useAssign(assignPatrolTasks, menu.task.permissions.reassign)
  return (
    <>
      <DetailPage
        loadCall={getPatrolTask}
        title={taskName}
        status={task => <ChoiceStatus choices={taskState} value={task.state} />}
        groups={groups}
        actions={task => [assign.row(task), reassignAction(task, reassign), disableTask.row(task)]}
        afterGroups={task => <TaskRecords task={task} />}
        historyEntity="workTask"
      />
      {assign.dialog}
      {reassigned && <ReassignDialog record={reassigned} onClose={() => reassign(undefined)} />}
    </>
  )
}
