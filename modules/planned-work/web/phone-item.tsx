import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { dropPhotos, keepPhoto, usePhotoItems } from '#kit/web/phone/stored-photos.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { stepVerdict } from '../contract/choices.ts'
import { maxPhotos, type WorkStep } from '../contract/task.ts'
import { boundsText, emptyDraft, isMeasured, verdictOf, type ItemDraft } from './phone-draft.ts'
import type { QueuedSign } from './queued-sign.ts'
import { VerdictButtons } from './verdict-buttons.tsx'

interface OpenItemProps {
  readonly step: WorkStep
  readonly draft: ItemDraft | undefined
  readonly onChange: (draft: Partial<ItemDraft>) => void
}

interface PhoneItemProps extends OpenItemProps {
  /** It was filled in, and the server does not have it yet. */
  readonly waiting: QueuedSign | undefined
  readonly isOpen: boolean
}

/** Pictures of an item, which are in its draft until it is sent. */
function useDraftPhotos(photos: readonly string[], change: (photos: readonly string[]) => void) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const add = async (files: readonly File[]): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      change([...photos, ...(await Promise.all(files.map(keepPhoto)))])
    } catch {
      setFault('无法读取图片，请重拍或换一张')
    } finally {
      setBusy(false)
    }
  }
  const remove = (photo: string): void => {
    dropPhotos([photo])
    change(photos.filter(other => other !== photo))
  }
  return {
    items: usePhotoItems(photos),
    isBusy,
    fault,
    add: (files: readonly File[]) => void add(files),
    remove,
  }
}

/** What is known of an item that is signed, or that cannot be signed now. */
function SignedItem({ step, waiting }: Pick<PhoneItemProps, 'step' | 'waiting'>) {
  if (waiting)
    return (
      <p className="todo">
        {waiting.verdict && labelOf(stepVerdict, waiting.verdict)} {waiting.value} 待上传
      </p>
    )
  const { verdict, value, needs, abnormal, remark, workOrderNo } = step
  return (
    <p>
      {verdict ? <ChoiceStatus choices={stepVerdict} value={verdict} /> : '未检查'}
      {value !== undefined && ` ${value}${needs?.unit ?? ''}`}
      {abnormal !== undefined && ` ${abnormal}`}
      {remark !== undefined && ` ${remark}`}
      {workOrderNo !== undefined && ` 工单 ${workOrderNo}`}
    </p>
  )
}

/** One item: its result, its number where it is measured, and of a fault what it is, with photos. */
export function PhoneItem({ step, draft, waiting, isOpen, onChange }: PhoneItemProps) {
  return (
    <section id={`item-${step.id}`}>
      <h2>
        <span>{step.stepName}</span>
        <small>权重 {step.weight}</small>
      </h2>
      {isOpen && !waiting ? (
        <OpenItem step={step} draft={draft} onChange={onChange} />
      ) : (
        <SignedItem step={step} waiting={waiting} />
      )}
    </section>
  )
}

function OpenItem({ step, draft = emptyDraft, onChange }: OpenItemProps) {
  const { verdict } = draft
  const isFailed = verdictOf(step, draft) === 'failed'
  const isOutside = isFailed && verdict !== 'failed'
  const isExtended = draft.remark !== undefined || draft.photos.length > 0
  return (
    <>
      <VerdictButtons
        name={step.stepName}
        verdict={verdict}
        onChange={chosen => onChange({ verdict: chosen })}
      />
      {isMeasured(step) && verdict !== 'notApplicable' && (
        <PhoneField label="数值" isRequired hint={boundsText(step)}>
          {control => (
            <>
              <input
                {...control}
                inputMode="decimal"
                value={draft.value ?? ''}
                onChange={event => onChange({ value: event.target.value })}
              />
              {isOutside && <p className="fault">超出范围，计为不合格</p>}
            </>
          )}
        </PhoneField>
      )}
      {isFailed && (
        <PhoneField label="问题" isRequired>
          {control => (
            <textarea
              {...control}
              rows={2}
              maxLength={500}
              value={draft.abnormal ?? ''}
              onChange={event => onChange({ abnormal: event.target.value })}
            />
          )}
        </PhoneField>
      )}
      {!isFailed && isExtended && (
        <PhoneField label="说明">
          {control => (
            <textarea
              {...control}
              rows={2}
              maxLength={200}
              value={draft.remark ?? ''}
              onChange={event => onChange({ remark: event.target.value })}
            />
          )}
        </PhoneField>
      )}
      {isFailed || isExtended || step.needs?.photo ? (
        <ItemPhotos step={step} draft={draft} onChange={onChange} />
      ) : (
        <button type="button" className="big add-words" onClick={() => onChange({ remark: '' })}>
          添加说明、照片
        </button>
      )}
    </>
  )
}

function ItemPhotos({ step, draft = emptyDraft, onChange }: OpenItemProps) {
  const photos = useDraftPhotos(draft.photos, kept => onChange({ photos: kept }))
  return (
    <MediaField
      label="照片"
      kind="image"
      items={photos.items}
      max={maxPhotos}
      isRequired={step.needs?.photo ?? false}
      fault={photos.fault}
      isBusy={photos.isBusy}
      onAdd={photos.add}
      onRemove={photos.remove}
    />
  )
}
