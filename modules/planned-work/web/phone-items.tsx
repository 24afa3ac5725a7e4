import { useEffect, useState } from 'react'
import { useStored } from '#kit/web/browser-store.ts'
import { FieldFault } from '#kit/web/phone/phone-field.tsx'
import { personalKey } from '#kit/web/session.ts'
import type { WorkStep, WorkTask } from '../contract/task.ts'
import { isOver } from './phone-tasks.tsx'
import { emptyDraft, isStarted, missingOf, signOfDraft, type Drafts, type ItemDraft } from './phone-draft.ts'
import { PhoneItem } from './phone-item.tsx'
import type { SignQueue } from './sign-queue.ts'

interface PhoneItemsProps {
  readonly task: WorkTask
  readonly steps: readonly WorkStep[]
  readonly signs: SignQueue
  readonly isOpen: boolean
  /** What the label of the place says, where it was scanned. */
  readonly code: string | undefined
  readonly onBack: () => void
}

const noDrafts: Drafts = {}

/** Why nothing can be filled in. */
const closedText = (task: WorkTask): string => {
  if (task.state === 'disabled') return `任务已停用${task.disableReason ? `：${task.disableReason}` : ''}`
  return isOver(task) ? '任务已结束' : '不在填写时间内'
}

/** What is filled in stays on the phone, first as a draft, then in the queue. */
function useItems({ task, steps, signs, code }: PhoneItemsProps) {
  const [drafts, setDrafts] = useStored(personalKey(`planned-work.items/${task.id}`), noDrafts)
  const [fault, setFault] = useState<string>()
  const waitingOf = ({ id }: WorkStep) => signs.waiting.find(sign => sign.stepId === id)
  const open = steps.filter(step => step.result === undefined && !waitingOf(step))
  const started = open.filter(step => isStarted(drafts[step.id]))
  const change = (stepId: number, draft: Partial<ItemDraft>): void => {
    setFault(undefined)
    setDrafts({ ...drafts, [stepId]: { ...emptyDraft, ...drafts[stepId], ...draft } })
  }
  const submit = (): void => {
    const filled = started.length ? started : open.slice(0, 1)
    const incomplete = filled.find(step => missingOf(step, drafts[step.id]) !== undefined)
    if (incomplete) {
      setFault(missingOf(incomplete, drafts[incomplete.id]))
      document.getElementById(`item-${incomplete.id}`)?.scrollIntoView({ block: 'center' })
      return
    }
    setFault(undefined)
    const deviceMs = Date.now()
    signs.add(filled.map(step => signOfDraft(step, drafts[step.id] ?? emptyDraft, { task, code, deviceMs })))
    const sent = new Set(filled.map(({ id }) => String(id)))
    setDrafts(Object.fromEntries(Object.entries(drafts).filter(([id]) => !sent.has(id))))
  }
  return { drafts, open, begun: started, fault, waitingOf, change, submit }
}

/** The items of one task, one under another, and 提交 for those that are filled in. */
export function PhoneItems(props: PhoneItemsProps) {
  const { task, steps, isOpen, code, onBack } = props
  const { drafts, open, begun: started, fault, waitingOf, change, submit } = useItems(props)
  // The list may have been scrolled.
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which would be taken for what ends the effect.
    scrollTo(0, 0)
  }, [])
  const isPart = started.length > 0 && started.length < open.length
  return (
    <>
      <header>
        <h1>{task.targetName ?? task.planName}</h1>
        <small>
          {task.beginTime.slice(5, 16)}–{task.endTime.slice(11, 16)} {task.targetName && task.planName}
        </small>
        {isOver(task) && task.score !== undefined && <p className="score">得分 {task.score}</p>}
        {code !== undefined && <small className="done">已扫描点位二维码</small>}
        {!isOpen && open.length > 0 && <small className="todo">{closedText(task)}</small>}
      </header>
      <main>
        {steps.map(step => (
          <PhoneItem
            key={step.id}
            step={step}
            draft={drafts[step.id]}
            waiting={waitingOf(step)}
            isOpen={isOpen && open.includes(step)}
            onChange={draft => change(step.id, draft)}
          />
        ))}
      </main>
      <div className={isOpen && open.length ? 'foot' : 'foot single'}>
        <FieldFault fault={fault} />
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        {isOpen && open.length > 0 && (
          <button type="button" className="big primary" onClick={submit}>
            {isPart ? `提交已填的 ${started.length} 项` : '提交'}
          </button>
        )}
      </div>
    </>
  )
}
