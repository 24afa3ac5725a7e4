import { useState, type ReactNode } from 'react'
import { useStored } from '#kit/web/browser-store.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import type { WorkOrder } from '../contract/work-order.ts'
import { dropPhotos, keepPhoto, usePhotoItems } from './mobile-photos.ts'
import { describeRefusal } from './mobile-refusal.ts'
import type { StepAction, StepValues } from './mobile-steps.ts'

export type Perform = (values: StepValues, photos?: readonly string[]) => Promise<void>

const noPhotos: readonly string[] = []

/** Pictures of a form that is not sent yet: a telephone may end the page while its camera is open. */
export function useFormPhotos(order: WorkOrder, action: StepAction) {
  const [photos, setPhotos] = useStored<readonly string[]>(
    `work-orders.form-photos/${order.id}/${action}`,
    noPhotos,
  )
  const [fault, setFault] = useState<string>()
  const items = usePhotoItems(photos)
  const add = async (files: readonly File[]): Promise<void> => {
    setFault(undefined)
    try {
      const added = await Promise.all(files.map(keepPhoto))
      setPhotos([...photos, ...added])
    } catch {
      setFault('无法读取图片，请重拍或换一张')
    }
  }
  return {
    photos,
    items,
    fault,
    add: (files: readonly File[]): void => void add(files),
    remove: (photo: string): void => {
      dropPhotos([photo])
      setPhotos(photos.filter(other => other !== photo))
    },
    /** They belong to the step now. */
    clear: (): void => setPhotos(noPhotos),
  }
}

/** Sends what a form holds; what was refused is shown where it was entered. */
export function useStepSubmit(
  send: () => Promise<void>,
  onDone: () => void,
  /** What is still wrong with the form; shown once somebody has tried to send it. */
  problem?: string,
) {
  const [isBusy, setBusy] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const submit = async (): Promise<void> => {
    setTried(true)
    setRefusal(undefined)
    if (problem !== undefined) return
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
  return { isBusy, fault: (hasTried ? problem : undefined) ?? refusal, submit: () => void submit() }
}

/** The frame of a form: its name above, one large button below. */
export function StepFrame({
  title,
  order,
  submitLabel,
  isBusy,
  fault,
  onBack,
  onSubmit,
  children,
}: {
  readonly title: string
  readonly order: WorkOrder
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly onBack: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}) {
  return (
    <form
      className="phone orders-phone"
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
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
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" className="big primary" disabled={isBusy}>
          {isBusy ? '正在提交…' : submitLabel}
        </button>
      </div>
    </form>
  )
}

/** Words for a step: usual ones under the thumb, any other by the keyboard. */
export function ReasonField({
  label,
  usual,
  value,
  onChange,
}: {
  readonly label: string
  readonly usual: readonly string[]
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <div className="field">
      <label className="label" htmlFor="step-reason">
        <RequiredStar />
        {label}
      </label>
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
      <textarea
        id="step-reason"
        rows={3}
        maxLength={200}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}
