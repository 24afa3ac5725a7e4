import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { useRefOptions } from '#kit/web/refs.ts'
import { useSend } from '#kit/web/query.ts'
import { addTaskSigner, approveRequest, refuseRequest, transferTask } from '../contract/instance-actions.ts'
import { instanceAction, type InstanceDetail } from '../contract/instance.ts'

const phoneActions = ['approve', 'refuse', 'transfer', 'addSigner'] as const
export type PhoneAction = (typeof phoneActions)[number]

export const isPhoneAction = (key: string): key is PhoneAction => phoneActions.some(action => action === key)

interface PhoneDecisionProps {
  readonly instance: InstanceDetail
  readonly action: PhoneAction
  readonly onBack: () => void
  readonly onDone: () => void
}

function useDecision(instance: InstanceDetail, action: PhoneAction) {
  const approving = useSend(approveRequest, { quiet: true })
  const refusing = useSend(refuseRequest, { quiet: true })
  const moving = useSend(transferTask, { quiet: true })
  const adding = useSend(addTaskSigner, { quiet: true })
  const isPending = [approving, refusing, moving, adding].some(sending => sending.isPending)
  const decide = async (text: string, to: string): Promise<void> => {
    const { id } = instance
    const opinion = text.trim() ? { opinion: text.trim() } : {}
    if (action === 'approve') {
      await approving.mutateAsync({ id, ...opinion })
    } else if (action === 'refuse') {
      await refusing.mutateAsync({ id, opinion: text.trim() })
    } else {
      await (action === 'transfer' ? moving : adding).mutateAsync({ id, to: parseId(to), ...opinion })
    }
  }
  return { decide, isPending }
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

/** A decision on the telephone: agree, refuse with a reason, or let somebody else decide. */
export function PhoneDecision({ instance, action, onBack, onDone }: PhoneDecisionProps) {
  const [text, setText] = useState('')
  const [to, setTo] = useState('')
  const [fault, setFault] = useState<string>()
  const { decide, isPending } = useDecision(instance, action)
  const needsPerson = action === 'transfer' || action === 'addSigner'
  const textFault =
    action === 'refuse' && [...text.trim()].length < 2 ? '请填写驳回原因，至少 2 个字' : undefined
  const [isTried, setTried] = useState(false)
  const submit = async (): Promise<void> => {
    setTried(true)
    if (textFault || (needsPerson && !to)) return
    try {
      await decide(text, to)
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
        <PhoneField
          label={action === 'refuse' ? '驳回原因' : '意见'}
          isRequired={action === 'refuse'}
          fault={isTried ? textFault : undefined}
        >
          {control => (
            <textarea
              {...control}
              rows={3}
              maxLength={500}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          )}
        </PhoneField>
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
