import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { useRefOptions } from '#kit/web/refs.ts'
import { useSend } from '#kit/web/query.ts'
import {
  addTaskSigner,
  approveRequest,
  commentRequest,
  refuseRequest,
  resubmitRequest,
  terminateRequest,
  transferTask,
  withdrawRequest,
} from '../contract/instance-actions.ts'
import { instanceAction, type InstanceDetail } from '../contract/instance.ts'
import { unchangedText } from './instance-content.tsx'
import { faultOfText, wordsOf, type PhoneAction } from './phone-actions.ts'

interface PhoneDecisionProps {
  readonly instance: InstanceDetail
  readonly action: PhoneAction
  readonly onBack: () => void
  readonly onDone: () => void
}

function useDecision({ id }: InstanceDetail, action: PhoneAction) {
  const approving = useSend(approveRequest, { quiet: true })
  const refusing = useSend(refuseRequest, { quiet: true })
  const moving = useSend(transferTask, { quiet: true })
  const adding = useSend(addTaskSigner, { quiet: true })
  const withdrawing = useSend(withdrawRequest, { quiet: true })
  const resubmitting = useSend(resubmitRequest, { quiet: true })
  const ending = useSend(terminateRequest, { quiet: true })
  const commenting = useSend(commentRequest, { quiet: true })
  const all = [approving, refusing, moving, adding, withdrawing, resubmitting, ending, commenting]
  const run: Readonly<Record<PhoneAction, (text: string, to: string) => Promise<unknown>>> = {
    approve: text => approving.mutateAsync({ id, ...(text && { opinion: text }) }),
    refuse: opinion => refusing.mutateAsync({ id, opinion }),
    transfer: (text, to) => moving.mutateAsync({ id, to: parseId(to), ...(text && { opinion: text }) }),
    addSigner: (text, to) => adding.mutateAsync({ id, to: parseId(to), ...(text && { opinion: text }) }),
    withdraw: text => withdrawing.mutateAsync({ id, ...(text && { reason: text }) }),
    resubmit: () => resubmitting.mutateAsync({ id }),
    giveUp: reason => ending.mutateAsync({ id, reason }),
    comment: content => commenting.mutateAsync({ id, content }),
  }
  return { decide: run[action], isPending: all.some(sending => sending.isPending) }
}

interface PersonFieldProps {
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
}

function PersonField({ value, fault, onChange }: PersonFieldProps) {
  const [keyword, setKeyword] = useState('')
  const { options } = useRefOptions('manager', keyword, {}, true)
  return (
    <>
      <PhoneField label="查找人员">
        {control => (
          <input
            {...control}
            type="search"
            value={keyword}
            placeholder="姓名"
            onChange={event => setKeyword(event.target.value)}
          />
        )}
      </PhoneField>
      <PhoneField label="人员" isRequired fault={fault}>
        {control => (
          <select {...control} value={value} onChange={event => onChange(event.target.value)}>
            <option value="">请选择</option>
            {options.map(option => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        )}
      </PhoneField>
    </>
  )
}

/** A step on the phone: decide, let somebody else decide, or what the applicant does with their own. */
export function PhoneDecision({ instance, action, onBack, onDone }: PhoneDecisionProps) {
  const [text, setText] = useState('')
  const [to, setTo] = useState('')
  const [fault, setFault] = useState<string>()
  const { decide, isPending } = useDecision(instance, action)
  const needsPerson = action === 'transfer' || action === 'addSigner'
  const words = wordsOf(action)
  const textFault = faultOfText(action, text)
  const [isTried, setTried] = useState(false)
  const submit = async (): Promise<void> => {
    setTried(true)
    if (textFault || (needsPerson && !to)) return
    try {
      await decide(text.trim(), to)
      onDone()
    } catch (error) {
      setFault(error instanceof Error ? error.message : '提交失败，请重试')
    }
  }
  return (
    <PhoneForm onSubmit={() => void submit()}>
      <main>
        {needsPerson && (
          <PersonField value={to} fault={isTried && !to ? '请选择人员' : undefined} onChange={setTo} />
        )}
        {words ? (
          <PhoneField
            label={words.label}
            isRequired={words.fault !== undefined}
            fault={isTried ? textFault : undefined}
          >
            {control => (
              <textarea
                {...control}
                rows={3}
                maxLength={words.max}
                value={text}
                onChange={event => setText(event.target.value)}
              />
            )}
          </PhoneField>
        ) : (
          <p>{unchangedText}</p>
        )}
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        <button type="submit" className="big primary" disabled={isPending}>
          {labelOf(instanceAction, action)}
        </button>
      </div>
    </PhoneForm>
  )
}
