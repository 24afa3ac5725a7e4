import { useState } from 'react'
import { useStored } from '#kit/web/browser-store.ts'
import { FieldFault } from '#kit/web/phone/phone-field.tsx'
import { dropPhotos } from '#kit/web/phone/stored-photos.ts'
import { newUuid } from '#kit/web/send.ts'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { WorkStep, WorkTask } from '../contract/task.ts'
import { InspectionItem } from './inspection-item.tsx'
import { missingOf, sendInspection, type ItemDraft } from './inspection-draft.ts'

interface InspectionItemsProps {
  readonly calls: KindCalls
  readonly task: WorkTask
  readonly steps: readonly WorkStep[]
  readonly isOpen: boolean
  /** What the label of the place says, where it was scanned. */
  readonly code: string | undefined
  readonly onSaved: () => void
  readonly onBack: () => void
}

const noDrafts: Readonly<Record<string, ItemDraft>> = {}

/** What was filled in stays on the telephone until the server has it; its number makes a repeat harmless. */
function useInspection({ calls, task, steps, code, onSaved }: InspectionItemsProps) {
  const [drafts, setDrafts] = useStored(`planned-work.inspection/${task.id}`, noDrafts)
  const [fault, setFault] = useState<string>()
  const [isSending, setSending] = useState(false)
  const open = steps.filter(step => step.result === undefined)
  const missing = open.map(step => missingOf(step, drafts[step.id])).find(text => text !== undefined)
  const change = (stepId: number, draft: Partial<ItemDraft>): void =>
    setDrafts({ ...drafts, [stepId]: { uuid: newUuid(), photos: [], ...drafts[stepId], ...draft } })
  const submit = async (): Promise<void> => {
    setFault(missing)
    if (missing) return
    setSending(true)
    try {
      const refused = await sendInspection(calls, task, open, drafts, code)
      setFault(refused)
      if (refused === undefined) {
        dropPhotos(Object.values(drafts).flatMap(({ photos }) => photos))
        setDrafts(noDrafts)
      }
      onSaved()
    } catch (e) {
      setFault(e instanceof Error ? e.message : '提交失败，请重试')
    } finally {
      setSending(false)
    }
  }
  return { drafts, open, fault, isSending, change, submit }
}

/** The items of one task, one under another, and 提交 for all of them. */
export function InspectionItems(props: InspectionItemsProps) {
  const { task, steps, isOpen, code, onBack } = props
  const { drafts, open, fault, isSending, change, submit } = useInspection(props)
  return (
    <>
      <header>
        <h1>{task.targetName ?? task.planName}</h1>
        <small>
          {task.beginTime.slice(5, 16)}–{task.endTime.slice(11, 16)} {task.planName}
        </small>
        {task.score !== undefined && <p className="score">得分 {task.score}</p>}
        {code !== undefined && <small className="done">已扫描点位二维码</small>}
      </header>
      <main>
        {steps.map(step => (
          <InspectionItem
            key={step.id}
            step={step}
            draft={drafts[step.id]}
            isOpen={isOpen && open.includes(step)}
            onChange={draft => change(step.id, draft)}
          />
        ))}
        <FieldFault fault={fault} />
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        {isOpen && open.length > 0 && (
          <button type="button" className="big primary" disabled={isSending} onClick={() => void submit()}>
            {isSending ? '正在提交…' : '提交'}
          </button>
        )}
      </div>
    </>
  )
}
