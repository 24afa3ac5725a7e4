import { useState, type ReactNode } from 'react'
import type { WorkOrder } from '../contract/work-order.ts'
import { useFormPhotos, type FormPhotos } from '#kit/web/phone/use-form-photos.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import type { StepAction, StepValues } from './mobile-steps.ts'

export type Perform = (values: StepValues, photos?: readonly string[]) => Promise<void>

/** Pictures of a step that is not sent yet. */
export const useStepPhotos = (order: WorkOrder, action: StepAction): FormPhotos =>
  useFormPhotos(`work-orders.form-photos/${order.id}/${action}`)

/** What is wrong with the fields of a form, by field. */
export type FieldFaults<K extends string> = { readonly [F in K]?: string | undefined }

/** Sends what a form holds; what is wrong is shown at its field, once somebody has tried to send it. */
export function useStepSubmit<K extends string = never>(
  send: () => Promise<void>,
  onDone: () => void,
  faults: FieldFaults<K> = {},
) {
  const [isBusy, setBusy] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const submit = async (): Promise<void> => {
    setTried(true)
    setRefusal(undefined)
    if (Object.values(faults).some(fault => fault !== undefined)) return
    setBusy(true)
    try {
      await send()
      onDone()
    } catch (error) {
      setRefusal(describeRefusal(error, '提交失败，请重试'))
    } finally {
      setBusy(false)
    }
  }
  const shownFaults: FieldFaults<K> = hasTried ? faults : {}
  return { isBusy, faults: shownFaults, refusal, submit: () => void submit() }
}

/** The frame of a form: its name above, one large button below. */
export function StepFrame({
  title,
  order,
  submitLabel,
  isBusy,
  refusal,
  onBack,
  onSubmit,
  children,
}: {
  readonly title: string
  readonly order: WorkOrder
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly refusal: string | undefined
  readonly onBack: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}) {
  return (
    <PhoneForm className="phone orders-phone" onSubmit={onSubmit}>
      <header>
        <div>
          <button type="button" className="big" onClick={onBack}>
            返回
          </button>
          <h1>{title}</h1>
          <small>{order.orderNo}</small>
        </div>
      </header>
      <main>{children}</main>
      <div className="foot steps">
        <FieldFault fault={refusal} />
        <button type="submit" className="big primary" disabled={isBusy}>
          {isBusy ? '正在提交…' : submitLabel}
        </button>
      </div>
    </PhoneForm>
  )
}

/** Words for a step: usual ones under the thumb, any other by the keyboard. */
export function ReasonField({
  label,
  usual,
  value,
  fault,
  onChange,
}: {
  readonly label: string
  readonly usual: readonly string[]
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
}) {
  const usualReasons = (
    <div className="why" role="group" aria-label={`常用${label}`}>
      {usual.map(reason => (
        <button
          type="button"
          className="big"
          key={reason}
          aria-pressed={value === reason}
          onClick={() => onChange(reason)}
        >
          {reason}
        </button>
      ))}
    </div>
  )
  return (
    <PhoneField label={label} isRequired fault={fault} above={usualReasons}>
      {control => (
        <textarea
          {...control}
          rows={3}
          maxLength={200}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </PhoneField>
  )
}
