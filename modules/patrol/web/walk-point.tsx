import { useEffect, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { useStored } from '#kit/web/browser-store.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { useFormPhotos, type FormPhotos } from '#kit/web/phone/use-form-photos.ts'
import { stepResult } from '#modules/planned-work/contract/choices.ts'
import { VerdictButtons, type NewSign } from '#modules/planned-work/web/public.signs.ts'
import type { ShownPoint, ShownRound } from './rounds.ts'
import {
  asksMore,
  draftKey,
  emptyDraft,
  isMeasured,
  itemResultsOf,
  missingText,
  photosName,
  verdictOf,
  type Arrival,
  type PointDraft,
} from './walk-draft.ts'
import { SignButtons } from './sign-buttons.tsx'

const maxPhotos = 9

interface CheckFieldProps {
  readonly item: ShownPoint['items'][number]
  readonly draft: PointDraft
  readonly onDraft: (draft: PointDraft) => void
}

/** One check: a number, or passed and not passed by large buttons. */
function CheckField({ item, draft, onDraft }: CheckFieldProps) {
  const { name, unit, minValue, maxValue } = item
  const verdict = verdictOf(item, draft)
  if (isMeasured(item)) {
    const range = [minValue, maxValue].some(Boolean) ? `${minValue ?? ''} ~ ${maxValue ?? ''}` : ''
    return (
      <PhoneField label={name} isRequired hint={[range, unit].filter(Boolean).join(' ')}>
        {control => (
          <>
            <input
              {...control}
              className="measure"
              inputMode="decimal"
              value={draft.values[name] ?? ''}
              onChange={event =>
                onDraft({ ...draft, values: { ...draft.values, [name]: event.target.value } })
              }
            />
            {verdict === 'failed' && <p className="fault">超出范围</p>}
          </>
        )}
      </PhoneField>
    )
  }
  return (
    <fieldset>
      <legend>{name}</legend>
      <VerdictButtons
        name={name}
        verdict={verdict}
        onChange={key => onDraft({ ...draft, verdicts: { ...draft.verdicts, [name]: key } })}
      />
    </fieldset>
  )
}

interface PointFieldsProps {
  readonly point: ShownPoint
  readonly draft: PointDraft
  readonly photos: FormPhotos
  readonly onDraft: (draft: PointDraft) => void
}

/** The checks of the point, photos, and what was found wrong. */
const PointFields = ({ point, draft, photos, onDraft }: PointFieldsProps) => (
  <>
    {point.items.map(item => (
      <CheckField key={item.name} item={item} draft={draft} onDraft={onDraft} />
    ))}
    <MediaField
      label="照片"
      kind="image"
      items={photos.items}
      max={maxPhotos}
      isRequired={point.needsPhoto || point.items.some(item => item.needsPhoto)}
      fault={photos.fault}
      isBusy={photos.isBusy}
      onAdd={photos.add}
      onRemove={photos.remove}
    />
    <PhoneField label="异常说明" hint="没有异常不填">
      {control => (
        <textarea
          {...control}
          rows={2}
          maxLength={500}
          value={draft.abnormal}
          onChange={event => onDraft({ ...draft, abnormal: event.target.value })}
        />
      )}
    </PhoneField>
  </>
)

/** How the phone has recognised the point. */
const arrivalTexts: Record<Arrival['signType'], string> = {
  qr: '已扫码',
  nfc: '已读取 NFC',
  ble: '已连接蓝牙',
  gps: '已定位',
  photo: '拍照签到',
  manual: '已登记',
}

interface WalkPointProps {
  readonly round: ShownRound
  readonly point: ShownPoint
  /** The arrival of a code that was just scanned. */
  readonly arrival: Arrival | undefined
  readonly isOpen: boolean
  readonly onScan: () => void
  readonly onSign: (sign: NewSign) => void
  readonly onBack: () => void
}

/** A point that was signed: what is known of it. */
const SignedPoint = ({ point }: { readonly point: ShownPoint }) => (
  <p className="accepted" role="status">
    {point.signTime?.slice(11, 16)} 已签到
    {point.waits ? '，待上传' : point.result ? `，${labelOf(stepResult, point.result)}` : ''}
    {point.isAbnormal ? '，有异常' : ''}
  </p>
)

/** One point of a round: how it is signed, its checks, photos and what was found. */
export function WalkPoint({ round, point, arrival, isOpen, onScan, onSign, onBack }: WalkPointProps) {
  const [draft, setDraft] = useStored<PointDraft>(draftKey(point.stepId), emptyDraft)
  const photos = useFormPhotos(photosName(point.stepId))
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    if (arrival) {
      setDraft({ ...draft, arrival })
    }
  }, [arrival])
  const signed = point.signTime !== undefined
  const sign = (arrived: Arrival | undefined): void => {
    const complete = { ...draft, arrival: arrived }
    const missing = missingText(point, complete, photos.photos.length)
    setFault(missing)
    if (missing !== undefined || !arrived) return
    const abnormal = draft.abnormal.trim()
    const items = itemResultsOf(point, complete)
    onSign({
      ...arrived,
      taskId: round.id,
      taskName: round.planName,
      stepId: point.stepId,
      pointName: point.name,
      photos: photos.photos,
      ...(items.length ? { items } : {}),
      ...(abnormal ? { abnormal } : {}),
    })
    photos.clear()
    setDraft(emptyDraft)
  }
  /** Being there is all that is asked of most points. */
  const arrive = (arrived: Arrival): void => {
    setDraft({ ...draft, arrival: arrived })
    if (!asksMore(point) && !draft.abnormal.trim()) {
      sign(arrived)
    }
  }
  return (
    <PhoneForm onSubmit={() => sign(draft.arrival)}>
      <main>
        <dl className="facts">
          <div>
            <dt>应到</dt>
            <dd>
              {point.dueTime.slice(11, 16)}
              {point.tolerance === undefined ? '' : ` ± ${point.tolerance} 分钟`}
            </dd>
          </div>
          <div>
            <dt>签到</dt>
            <dd>{draft.arrival ? arrivalTexts[draft.arrival.signType] : '未签到'}</dd>
          </div>
        </dl>
        {signed && <SignedPoint point={point} />}
        {!signed && isOpen && (
          <>
            {!draft.arrival && (
              <SignButtons point={point} onScan={onScan} onArrive={arrive} onFault={setFault} />
            )}
            <PointFields point={point} draft={draft} photos={photos} onDraft={setDraft} />
          </>
        )}
        {!signed && !isOpen && <p className="todo">不在签到时间内</p>}
        <FieldFault fault={fault} />
      </main>
      <div className="foot pair">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        {!signed && isOpen && (
          <button type="submit" className="big primary" disabled={photos.isBusy}>
            提交签到
          </button>
        )}
      </div>
    </PhoneForm>
  )
}
