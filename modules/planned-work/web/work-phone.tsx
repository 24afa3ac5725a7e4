import { useEffect, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Permission } from '#kit/contract/call.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useStoredAnswer } from '#kit/web/phone/use-stored-answer.ts'
import { WaitingNotice } from '#kit/web/phone/waiting-notice.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import type { listOwnTasks } from '../contract/task-calls.ts'
import type { WorkTask } from '../contract/task.ts'
import { openMinutes } from '../domain/signs.ts'
import { PermittedOnly } from './permitted-only.tsx'
import { PhoneItems } from './phone-items.tsx'
import { isOver, TaskRow } from './phone-tasks.tsx'
import { RefusedSigns } from './refused-signs.tsx'
import { useSignQueue, type SignCall, type SignQueue } from './sign-queue.ts'
import '#kit/web/phone/phone.css'
import './work-phone.css'

/** The calls of a kind of work, as far as its page on the phone needs them. */
export interface PhoneCalls {
  /** In front of its calls, and of what the browser keeps of it. */
  readonly taskPath: string
  /** `保洁`: its tasks are 保洁任务. */
  readonly noun: string
  readonly listOwn: typeof listOwnTasks
  readonly sign: SignCall
  readonly permissions: { readonly execute: Permission }
}

/** The place whose label was scanned to open the page. */
export interface ScannedPlace {
  readonly code: string
  readonly targetId: Id
  readonly name: string
}

interface WorkPhoneProps {
  readonly calls: PhoneCalls
  readonly title: string
  readonly scanned?: ScannedPlace | undefined
  /** Why the label that was scanned opens nothing. */
  readonly labelFault?: string | undefined
  /** To the pages of other kinds, above the list. */
  readonly links?: ReactNode
}

/** Not tomorrow's, and none that is closed. */
function isOpen({ state, beginTime, closeTime }: WorkTask): boolean {
  const now = fromInstant(serverNow())
  const isInTime = addMinutes(beginTime, -openMinutes) <= now && closeTime >= now
  return isInTime && (state === 'waiting' || state === 'running')
}

/** The person's tasks of one kind: chosen from a list, or by the label of the place. */
export function WorkPhone(props: WorkPhoneProps) {
  return (
    <SignedInOnly>
      <div className="phone work-phone">
        <PermittedOnly needs={props.calls.permissions.execute}>
          <Work {...props} />
        </PermittedOnly>
      </div>
    </SignedInOnly>
  )
}

type OwnWork = ReturnType<typeof useOwnWork>

/** The tasks as the server had them last, and what waits on the phone. */
function useOwnWork({ taskPath, listOwn, sign }: PhoneCalls) {
  const own = useStoredAnswer(listOwn, {}, `planned-work.own/${taskPath}`)
  const signs = useSignQueue({
    name: `planned-work.signs/${taskPath}`,
    call: sign,
    onAnswer: own.refetch,
  })
  return { ...own, signs }
}

/** What the page says of the network and of what the server refused. */
const Notices = ({
  work,
  labelFault,
}: {
  readonly work: OwnWork
  readonly labelFault?: string | undefined
}) => (
  <>
    {work.isOld && (
      <p className="old" role="status">
        当前无网络，填写的内容保存在手机上，恢复后自动上传
      </p>
    )}
    <WaitingNotice count={work.signs.waiting.length} unit="项" onSend={work.signs.upload} />
    <RefusedSigns signs={work.signs} />
    {labelFault !== undefined && (
      <p className="old fault" role="alert">
        {labelFault}
      </p>
    )}
    {work.refusal !== undefined && (
      <p className="empty fault" role="alert">
        {work.refusal}
      </p>
    )}
  </>
)

const waitingIn = ({ waiting }: SignQueue, { id }: WorkTask): number =>
  waiting.filter(sign => sign.taskId === id).length

function Work({ calls, title, scanned, labelFault, links }: WorkPhoneProps) {
  const [address] = useSearchParams()
  const [taskId, setTaskId] = useState<Id>(() => parseId(address.get('task') ?? ''))
  const work = useOwnWork(calls)
  const own = work.answer ?? []
  const atPlace = (scanned ? own.filter(({ task }) => task.targetId === scanned.targetId) : own).toSorted(
    (a, b) => Number(isOver(a.task)) - Number(isOver(b.task)),
  )
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
      <>
        <Notices work={work} />
        <PhoneItems
          key={opened.task.id}
          task={opened.task}
          steps={opened.steps}
          signs={work.signs}
          isOpen={isOpen(opened.task)}
          code={opened.task.targetId === scanned?.targetId ? scanned.code : undefined}
          onBack={() => setTaskId(0)}
        />
      </>
    )
  return (
    <>
      <header>
        <h1>{title}</h1>
        {scanned && <small>{scanned.name}</small>}
      </header>
      {links}
      <Notices work={work} labelFault={labelFault} />
      {work.isLoading && (
        <p className="empty" role="status">
          正在加载…
        </p>
      )}
      {work.answer && !atPlace.length && <p className="empty">今明两天暂无{calls.noun}任务</p>}
      {!work.answer && work.isOld && <p className="empty">无法读取任务，请在有网络处打开本页一次</p>}
      <ol>
        {atPlace.map(({ task }) => (
          <TaskRow
            key={task.id}
            task={task}
            waitingCount={waitingIn(work.signs, task)}
            onOpen={() => setTaskId(task.id)}
          />
        ))}
      </ol>
    </>
  )
}
