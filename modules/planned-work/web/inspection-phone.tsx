import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { WorkTask } from '../contract/task.ts'
import { openMinutes } from '../domain/signs.ts'
import { InspectionItems } from './inspection-items.tsx'
import { PermittedOnly } from './permitted-only.tsx'
import '#kit/web/phone/phone.css'
import './inspection.css'

/** The place whose label was scanned to open the page. */
export interface ScannedPlace {
  readonly code: string
  readonly targetId: Id
  readonly name: string
}

interface InspectionPhoneProps {
  readonly calls: KindCalls
  readonly title: string
  readonly scanned?: ScannedPlace | undefined
  /** Why the label that was scanned opens nothing. */
  readonly labelFault?: string | undefined
}

/** Whether it can be filled in now: not tomorrow's, and none that is closed. */
function isOpen({ state, beginTime, closeTime }: WorkTask): boolean {
  const now = fromInstant(serverNow())
  const isInTime = addMinutes(beginTime, -openMinutes) <= now && closeTime >= now
  return isInTime && (state === 'waiting' || state === 'running')
}

const TaskRow = ({ task, onOpen }: { readonly task: WorkTask; readonly onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen}>
      <b>{task.targetName ?? task.planName}</b>
      <ChoiceStatus choices={taskState} value={task.state} />
      <small>
        {task.beginTime.slice(5, 16)}–{task.endTime.slice(11, 16)} {task.planName}
      </small>
      <span>{task.score === undefined ? `${task.stepDone} / ${task.stepTotal}` : `得分 ${task.score}`}</span>
    </button>
  </li>
)

/** The tasks of the person on the telephone: chosen from a list, or by the label of the place. */
export function InspectionPhone(props: InspectionPhoneProps) {
  return (
    <SignedInOnly>
      <div className="phone inspection">
        <PermittedOnly needs={props.calls.permissions.execute}>
          <Inspection {...props} />
        </PermittedOnly>
      </div>
    </SignedInOnly>
  )
}

function Inspection({ calls, title, scanned, labelFault }: InspectionPhoneProps) {
  const [address] = useSearchParams()
  const [taskId, setTaskId] = useState<Id>(() => parseId(address.get('task') ?? ''))
  const query = useCall(calls.listOwn, {}, { quiet: true, project: 0, staleMs: 0 })
  const own = query.data ?? []
  const atPlace = scanned ? own.filter(({ task }) => task.targetId === scanned.targetId) : own
  const opened = own.find(({ task }) => task.id === taskId)
  const first = scanned && atPlace.find(({ task }) => isOpen(task))?.task.id
  const [hasFollowedLabel, setFollowedLabel] = useState(false)
  // Once: after the first is done the person sees its score, not the next one.
  useEffect(() => {
    if (first !== undefined && !hasFollowedLabel) {
      setFollowedLabel(true)
      setTaskId(first)
    }
  }, [first, hasFollowedLabel])
  if (opened)
    return (
      <InspectionItems
        key={opened.task.id}
        calls={calls}
        task={opened.task}
        steps={opened.steps}
        isOpen={isOpen(opened.task)}
        code={opened.task.targetId === scanned?.targetId ? scanned.code : undefined}
        onSaved={() => void query.refetch()}
        onBack={() => setTaskId(0)}
      />
    )
  return (
    <>
      <header>
        <h1>{title}</h1>
        {scanned && <small>{scanned.name}</small>}
      </header>
      {labelFault !== undefined && (
        <p className="empty fault" role="alert">
          {labelFault}
        </p>
      )}
      {query.isPending && (
        <p className="empty" role="status">
          正在加载…
        </p>
      )}
      {query.isError && <p className="empty fault">{query.error.message}</p>}
      {query.data && !atPlace.length && <p className="empty">今天暂无{calls.noun}任务</p>}
      <ol>
        {atPlace.map(({ task }) => (
          <TaskRow key={task.id} task={task} onOpen={() => setTaskId(task.id)} />
        ))}
      </ol>
    </>
  )
}
