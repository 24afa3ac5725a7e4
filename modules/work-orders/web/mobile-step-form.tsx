import { useState } from 'react'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, readMoment, type Moment } from '#kit/domain/moment.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import { maxPhotos, type WorkOrder } from '../contract/work-order.ts'
import { ReasonField, StepFrame, useStepPhotos, useStepSubmit, type Perform } from './mobile-form.tsx'
import { stepLabel, type StepAction } from './mobile-steps.ts'

interface FormProps {
  readonly order: WorkOrder
  readonly perform: Perform
  readonly onBack: () => void
}

type TimeChoice = readonly [label: string, time: (now: Moment) => Moment]
const tomorrow = (now: Moment, clock: '09:00:00' | '18:00:00'): Moment =>
  `${addDays(dayOfMoment(now), 1)} ${clock}`
const timeChoices: readonly TimeChoice[] = [
  ['2 小时后', now => addMinutes(now, 120)],
  ['明天 9 点', now => tomorrow(now, '09:00:00')],
  ['明天 18 点', now => tomorrow(now, '18:00:00')],
]

/** A time to come: usual ones under the thumb, any other by the picker of the phone. */
function TimeField({
  label,
  value,
  fault,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
}) {
  const usualTimes = (
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
  )
  return (
    <PhoneField label={label} isRequired fault={fault} above={usualTimes}>
      {control => (
        <input
          {...control}
          type="datetime-local"
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </PhoneField>
  )
}

const usualReasons: { readonly [A in 'suspend' | 'deny' | 'requestExtension']: readonly string[] } = {
  suspend: ['等待材料', '住户不在家', '需要停水停电', '等待外部单位'],
  deny: ['不属于本工种', '正在处理其他工单', '已下班'],
  requestExtension: ['等待材料', '工作量超出预计', '住户另约时间'],
}

function ArriveForm({ order, perform, onBack }: FormProps) {
  const photos = useStepPhotos(order, 'arrive')
  const { isBusy, refusal, submit } = useStepSubmit(async () => {
    await perform({ action: 'arrive' }, photos.photos)
    photos.clear()
  }, onBack)
  return (
    <StepFrame
      title="到场"
      order={order}
      submitLabel="到场"
      isBusy={isBusy}
      refusal={refusal}
      onBack={onBack}
      onSubmit={submit}
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

/** What is wrong with the time of a step; nothing where it has none. */
function timeFault(timeLabel: string | undefined, time: Moment | undefined): string | undefined {
  if (timeLabel === undefined) return undefined
  if (time === undefined) return `请选择${timeLabel}时间`
  return time <= fromInstant(serverNow()) ? `${timeLabel}的时间应晚于现在` : undefined
}

function ReasonForm({ order, action, perform, onBack }: FormProps & { readonly action: ReasonedAction }) {
  const [reason, setReason] = useState('')
  const [timeText, setTimeText] = useState('')
  const time = readMoment(timeText.replace('T', ' '))
  const timeLabel = timeLabels[action]
  const send = async (): Promise<void> => {
    const text = reason.trim()
    if (action === 'deny') return perform({ action, reason: text })
    if (time === undefined) return undefined
    return action === 'suspend'
      ? perform({ action, reason: text, resumeTime: time })
      : perform({ action, reason: text, deadline: time })
  }
  const { isBusy, faults, refusal, submit } = useStepSubmit(send, onBack, {
    reason: [...reason.trim()].length < 2 ? '请填写原因，至少 2 个字' : undefined,
    time: timeFault(timeLabel, time),
  })
  return (
    <StepFrame
      title={stepLabel(action)}
      order={order}
      submitLabel={stepLabel(action)}
      isBusy={isBusy}
      refusal={refusal}
      onBack={onBack}
      onSubmit={submit}
    >
      <ReasonField
        label="原因"
        usual={usualReasons[action]}
        value={reason}
        fault={faults.reason}
        onChange={setReason}
      />
      {timeLabel !== undefined && (
        <TimeField label={timeLabel} value={timeText} fault={faults.time} onChange={setTimeText} />
      )}
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
