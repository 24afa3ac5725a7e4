import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { stepVerdict, taskState } from '../contract/choices.ts'
import type { WorkStep } from '../contract/task.ts'
import { listOwnTasks } from '../contract/task-calls.ts'
import { menu } from '../module.ts'
import { PermittedOnly } from './permitted-only.tsx'
import { PhoneStep } from './phone-step.tsx'
import '#kit/web/phone/phone.css'
import './planned-work.css'

type OwnTask = NonNullable<typeof listOwnTasks.output.T>[number]

const isOver = ({ task }: OwnTask): boolean => task.state !== 'waiting' && task.state !== 'running'

const TaskCard = ({ own, onOpen }: { readonly own: OwnTask; readonly onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen}>
      <b>{own.task.planName}</b>
      <span>{labelOf(taskState, own.task.state)}</span>
      <small>
        {own.task.beginTime.slice(5, 16)}–{own.task.endTime.slice(11, 16)}
        {own.task.targetName === undefined ? '' : ` · ${own.task.targetName}`}
      </small>
      <small>
        {own.task.stepDone} / {own.task.stepTotal}
      </small>
    </button>
  </li>
)

function TaskCards({ onOpen }: { readonly onOpen: (own: OwnTask) => void }) {
  const query = useCall(listOwnTasks, {}, { quiet: true, staleMs: 0 })
  const rows = (query.data ?? []).toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)))
  return (
    <>
      <header>
        <div>
          <h1>我的任务</h1>
          <small>{query.data ? `未完成 ${rows.filter(own => !isOver(own)).length}` : ''}</small>
        </div>
      </header>
      {query.isError && (
        <p className="empty" role="alert">
          无法读取任务，请检查网络后重试
        </p>
      )}
      {query.data && !rows.length && <p className="empty">今明两天暂无任务</p>}
      <ol>
        {rows.map(own => (
          <TaskCard key={own.task.id} own={own} onOpen={() => onOpen(own)} />
        ))}
      </ol>
    </>
  )
}

const StepCard = ({ step, onOpen }: { readonly step: WorkStep; readonly onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen} disabled={step.signTime !== undefined}>
      <b>{step.stepName}</b>
      <span>{step.verdict ? labelOf(stepVerdict, step.verdict) : '未填写'}</span>
      <small>{step.signTime?.slice(11, 16) ?? (step.needs?.photo ? '需拍照' : '')}</small>
    </button>
  </li>
)

function TaskSteps({ taskId, onBack }: { readonly taskId: number; readonly onBack: () => void }) {
  const own = useCall(listOwnTasks, {}, { quiet: true }).data?.find(({ task }) => task.id === taskId)
  const [stepId, setStepId] = useState<number>()
  const step = own?.steps.find(({ id }) => id === stepId)
  if (!own) return <p className="empty">任务不存在或已撤下</p>
  if (step) return <PhoneStep step={step} onDone={() => setStepId(undefined)} />
  return (
    <>
      <header>
        <div>
          <h1>{own.task.planName}</h1>
          <small>{labelOf(taskState, own.task.state)}</small>
        </div>
        <small>
          {own.task.beginTime.slice(5, 16)}–{own.task.endTime.slice(11, 16)} {own.task.targetName}
        </small>
      </header>
      <ol>
        {own.steps.map(one => (
          <StepCard key={one.id} step={one} onOpen={() => setStepId(one.id)} />
        ))}
      </ol>
      <div className="foot single">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
      </div>
    </>
  )
}

/** 我的任务: today's and tomorrow's tasks on the telephone of the person who does them. */
export default function OwnTasksPage() {
  const [taskId, setTaskId] = useState<number>()
  return (
    <SignedInOnly>
      <div className="phone work-phone">
        <PermittedOnly needs={menu.plan.permissions.execute}>
          {taskId === undefined ? (
            <TaskCards onOpen={({ task }) => setTaskId(task.id)} />
          ) : (
            <TaskSteps taskId={taskId} onBack={() => setTaskId(undefined)} />
          )}
        </PermittedOnly>
      </div>
    </SignedInOnly>
  )
}
