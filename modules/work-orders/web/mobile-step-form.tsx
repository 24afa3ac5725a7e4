import { useState, type ReactNode } from 'react'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, readMoment, type Moment } from '#kit/domain/moment.ts'
import { useStored } from '#kit/web/browser-store.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import { maxPhotos, type WorkOrder } from '../contract/work-order.ts'
import { dropPhotos, keepPhoto, usePhotoItems } from './mobile-photos.ts'
import { describeRefusal } from './mobile-refusal.ts'
import { stepLabel, type StepAction, type StepValues } from './mobile-steps.ts'

export type Perform = (values: StepValues, photos?: readonly string[]) => Promise<void>

interface FormProps {
  readonly order: WorkOrder
  readonly perform: Perform
  readonly onBack: () => void
}

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
export function useStepSubmit(send: () => Promise<void>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (problem?: string): Promise<void> => {
    setFault(problem)
    if (problem !== undefined) return
    setBusy(true)
    try {
      await send()
      onDone()
    } catch (error) {
      setFault(describeRefusal(error, '提交失败，请重试'))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, fault, submit }
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

type TimeChoice = readonly [label: string, time: (now: Moment) => Moment]
const tomorrow = (now: Moment, clock: '09:00:00' | '18:00:00'): Moment =>
  `${addDays(dayOfMoment(now), 1)} ${clock}`
const timeChoices: readonly TimeChoice[] = [
  ['2 小时后', now => addMinutes(now, 120)],
  ['明天 9 点', now => tomorrow(now, '09:00:00')],
  ['明天 18 点', now => tomorrow(now, '18:00:00')],
]

/** A time to come: usual ones under the thumb, any other by the picker of the telephone. */
function TimeField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <div className="field">
      <label className="label" htmlFor="step-time">
        {label}
      </label>
      <div className="why" role="group" aria-label={`常用${label}`}>
        {timeChoices.map(([name, timeOf]) => (
          <button
            type="button"
            className="big"
            key={name}
            onClick={() => onChange(timeOf(fromInstant(serverNow())).slice(0, 16).replace(' ', 'T'))}
          >
            {name}
          </button>
        ))}
      </div>
      <input
        id="step-time"
        type="datetime-local"
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}

const usualReasons: { readonly [A in 'suspend' | 'deny' | 'requestExtension']: readonly string[] } = {
  suspend: ['等待材料', '住户不在家', '需要停水停电', '等待外部单位'],
  deny: ['不属于本工种', '正在处理其他工单', '已下班'],
  requestExtension: ['等待材料', '工作量超出预计', '住户另约时间'],
}

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

function ArriveForm({ order, perform, onBack }: FormProps) {
  const photos = useFormPhotos(order, 'arrive')
  const { isBusy, fault, submit } = useStepSubmit(async () => {
    await perform({ action: 'arrive' }, photos.photos)
    photos.clear()
  }, onBack)
  return (
    <StepFrame
      title="到场"
      order={order}
      submitLabel="到场"
      isBusy={isBusy}
      fault={fault}
      onBack={onBack}
      onSubmit={() => void submit()}
    >
      <p className="job-content">{order.address ?? order.content}</p>
      <MediaField
        label="现场照片"
        kind="image"
        items={photos.items}
        max={maxPhotos}
        hint="可不拍"
        fault={photos.fault}
        onAdd={photos.add}
        onRemove={photos.remove}
      />
    </StepFrame>
  )
}

type ReasonedAction = 'suspend' | 'deny' | 'requestExtension'

const timeLabels: { readonly [A in ReasonedAction]?: string } = {
  suspend: '预计恢复',
  requestExtension: '延期至',
}

/** What is wrong with a reason and a time before they are sent; nothing where both are fine. */
function reasonFault(action: ReasonedAction, reason: string, time: Moment | undefined): string | undefined {
  if ([...reason.trim()].length < 2) return '请填写原因，至少 2 个字'
  const timeLabel = timeLabels[action]
  if (timeLabel === undefined) return undefined
  if (time === undefined) return `请选择${timeLabel}时间`
  return time <= fromInstant(serverNow()) ? `${timeLabel}的时间应晚于现在` : undefined
}

function ReasonForm({ order, action, perform, onBack }: FormProps & { readonly action: ReasonedAction }) {
  const [reason, setReason] = useState('')
  const [timeText, setTimeText] = useState('')
  const time = readMoment(timeText.replace('T', ' '))
  const timeLabel = timeLabels[action]
  const { isBusy, fault, submit } = useStepSubmit(async () => {
    const text = reason.trim()
    if (action === 'deny') return perform({ action, reason: text })
    if (time === undefined) return undefined
    return action === 'suspend'
      ? perform({ action, reason: text, resumeTime: time })
      : perform({ action, reason: text, deadline: time })
  }, onBack)
  return (
    <StepFrame
      title={stepLabel(action)}
      order={order}
      submitLabel={stepLabel(action)}
      isBusy={isBusy}
      fault={fault}
      onBack={onBack}
      onSubmit={() => void submit(reasonFault(action, reason, time))}
    >
      <ReasonField label="原因" usual={usualReasons[action]} value={reason} onChange={setReason} />
      {timeLabel !== undefined && <TimeField label={timeLabel} value={timeText} onChange={setTimeText} />}
    </StepFrame>
  )
}

/** What a step asks for beside the tap: its reason, a time, a picture. */
export function MobileStepForm({
  action,
  ...props
}: FormProps & { readonly action: Exclude<StepAction, 'finish'> }) {
  if (action === 'suspend' || action === 'deny' || action === 'requestExtension')
    return <ReasonForm {...props} action={action} />
  return <ArriveForm {...props} />
}
